import { Anchor, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { ExpectedStart } from '../../api/reservations';
import { momentWidth, type Column } from '../../ui/column';
import { Moment } from '../../ui/Moment';
import { VirtualTable } from '../../ui/VirtualTable';
import { count, cpu } from '../../wording/amounts';

interface Props {
  /** Those that start first. */
  list: ExpectedStart[];
  /** The number of all. */
  total: number;
}

/** ExpectedStarts lists what the policy booked for waiting jobs. */
export function ExpectedStarts({ list, total }: Props) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Booked by the policy{total > list.length && `, the first ${count(list.length)} of ${count(total)}`}
      </Title>
      <VirtualTable label="Booked by the policy" columns={columns} rows={list} rowKey={(it) => it.job} />
    </Stack>
  );
}

const columns: Column<ExpectedStart>[] = [
  { id: 'job', header: 'Job', width: 200, cell: (it) => <Anchor component={Link} to={`/jobs/${it.job}`} size="sm">{`${it.job} ${it.name}`.trim()}</Anchor> },
  { id: 'owner', header: 'Owner', width: 120, cell: (it) => it.owner },
  { id: 'start', header: 'Start', width: momentWidth.short, help: 'At the latest, if no job takes longer than estimated', cell: (it) => <Moment at={it.start} /> },
  { id: 'until', header: 'Until', width: momentWidth.short, help: 'By its estimate', cell: (it) => <Moment at={it.until} /> },
  { id: 'cpu', header: 'CPU', align: 'end', help: 'Tasks × need of each', cell: (it) => `${count(it.tasks)} × ${cpu(it.cpuMillicores)}` },
];
