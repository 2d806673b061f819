import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { experienceQuery, type Experience } from '../../api/experience';
import type { Column } from '../../ui/column';
import { momentWidth } from '../../ui/column';
import { EmptyState } from '../../ui/EmptyState';
import { Moment } from '../../ui/Moment';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { VirtualTable } from '../../ui/VirtualTable';
import { count, cpu, duration } from '../../wording/amounts';

/** RunTimes shows how long jobs that succeeded took, by owner, type and size. */
export function RunTimes() {
  const experience = useQuery(experienceQuery);
  const rows = experience.data?.experience;
  return (
    <>
      <Text size="sm">At full speed. When three have succeeded, policies that use estimates expect of the next what nine in ten of the latest took, at most its own estimate.</Text>
      {experience.error && <ProblemAlert error={experience.error} retry={() => void experience.refetch()} />}
      {experience.isPending && !experience.error && <Loader aria-label="Loading the run times" />}
      {rows?.length === 0 && <EmptyState title="No job has succeeded yet">Run times are remembered when jobs succeed.</EmptyState>}
      {rows && rows.length > 0 && <VirtualTable label="Run times" columns={columns} rows={rows} rowKey={keyOf} />}
    </>
  );
}

const keyOf = (row: Experience) => JSON.stringify([row.project, row.owner, row.type, row.tasks, row.needMillicores]);

const columns: Column<Experience>[] = [
  { id: 'owner', header: 'Owner', width: 140, value: (row) => row.owner, cell: (row) => row.owner },
  { id: 'type', header: 'Type', help: 'As the jobs named it, or their image and command', value: (row) => row.type, cell: (row) => row.type },
  { id: 'tasks', header: 'Tasks', width: 90, align: 'end', value: (row) => row.tasks, cell: (row) => count(row.tasks) },
  { id: 'cpu', header: 'CPU', help: 'Need of each task', width: 110, align: 'end', value: (row) => row.needMillicores, cell: (row) => cpu(row.needMillicores) },
  { id: 'succeeded', header: 'Succeeded', width: 120, align: 'end', value: (row) => row.similar.succeeded, cell: (row) => count(row.similar.succeeded) },
  { id: 'median', header: 'Median', help: 'Half of the latest 20 took no longer', width: 120, align: 'end', value: (row) => row.similar.medianSeconds, cell: (row) => duration(row.similar.medianSeconds) },
  { id: 'most', header: '90 %', help: 'Nine in ten of the latest 20 took no longer', width: 120, align: 'end', value: (row) => row.similar.mostSeconds, cell: (row) => duration(row.similar.mostSeconds) },
  { id: 'last', header: 'Last', width: momentWidth.brief, value: (row) => row.last, cell: (row) => <Moment at={row.last} brief /> },
];
