import { Anchor, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { placementsQuery, type Placement } from '../../api/placements';
import type { Column } from '../../ui/column';
import { EmptyState } from '../../ui/EmptyState';
import { jobColour } from '../../ui/palette';
import { ProblemAlert } from '../../ui/ProblemAlert';
import { StateBadge } from '../../ui/StateBadge';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import { cap, capHelp, chargedHelp, residentHelp } from '../jobs/TaskTable';
import { YieldBar } from '../../ui/YieldBar';
import { bytes, cpu } from '../../wording/amounts';
import { moveSentence } from '../../wording/plan';

/** VmTable lists the VMs on a node, and those on their way there, with their ordered caps, observed caps and usage. */
export function VmTable({ node }: { node: string }) {
  const [sort, setSort] = useSort(withRemarks);
  const placements = useQuery(placementsQuery(node));
  if (placements.error) return <ProblemAlert error={placements.error} retry={() => void placements.refetch()} />;
  if (!placements.data) return <Loader aria-label="Loading the VMs" />;
  if (placements.data.length === 0) return <EmptyState title="No VM of this cluster is here or on its way here" />;
  return <VirtualTable label="VMs" columns={placements.data.some(remarks) ? withRemarks : columns} rows={placements.data} rowKey={key} sort={sort} onSort={setSort} height={480} />;
}

const key = ({ job, task }: Placement) => `${job.id}/${task.index}`;

/** Describes unusual properties of a VM. */
function remarks({ task, coming }: Placement): string {
  return [coming && 'not here yet, and charged already', task.core && `on core ${task.core}`, task.tier === 'background' && 'background tier', task.move && moveSentence(task.move)].filter(Boolean).join('; ');
}

/** Returns an amount that is measured where the VM is, which a node knows of its own only. */
const here = (amount: 'usedMillicores' | 'usedMemoryBytes') => ({ task, coming }: Placement) => (coming ? undefined : task[amount]);

const columns: Column<Placement>[] = [
  {
    id: 'job', header: 'Job', width: 76, value: ({ job }) => Number(job.id.slice(1)),
    cell: ({ job }) => (
      <>
        <span aria-hidden="true" style={{ display: 'inline-block', width: 10, height: 10, marginInlineEnd: 6, borderRadius: 2, background: jobColour(job.id) }} />
        <Anchor component={Link} to={`/jobs/${job.id}`} size="sm">
          {job.id}
        </Anchor>
      </>
    ),
  },
  { id: 'name', header: 'Name', width: 100, value: ({ job }) => job.name, cell: ({ job }) => job.name || '–' },
  { id: 'task', header: 'Task', width: 56, align: 'end', value: ({ task }) => task.index, cell: ({ task }) => task.index },
  { id: 'state', header: 'State', width: 104, value: ({ task }) => task.state, cell: ({ task }) => <StateBadge state={task.state} /> },
  { id: 'yield', header: 'Yield', width: 108, value: ({ task }) => task.yield, cell: ({ task }) => (task.tier === 'background' ? 'background' : <YieldBar value={task.yield} />) },
  { id: 'share', header: 'Share', width: 102, align: 'end', value: ({ task }) => task.shareMillicores, cell: ({ task }) => cpu(task.shareMillicores) },
  { id: 'cap', header: 'Cap', width: 124, align: 'end', help: capHelp, value: ({ task, coming }) => (coming ? undefined : task.capObservedMillicores), cell: ({ task, coming }) => (coming ? '–' : cap(task)) },
  { id: 'used', header: 'Uses', width: 102, align: 'end', value: here('usedMillicores'), cell: ({ task, coming }) => (coming || task.usedMillicores === undefined ? '–' : cpu(task.usedMillicores)) },
  { id: 'memory', header: 'Resident', width: 90, align: 'end', help: residentHelp, value: here('usedMemoryBytes'), cell: ({ task, coming }) => (coming || task.usedMemoryBytes === undefined ? '–' : bytes(task.usedMemoryBytes)) },
  { id: 'charged', header: 'Charged', width: 90, align: 'end', help: chargedHelp, value: ({ job }) => job.chargeBytes, cell: ({ job }) => bytes(job.chargeBytes) },
];

const withRemarks: Column<Placement>[] = [...columns, { id: 'remarks', header: 'Remarks', width: 220, value: remarks, cell: remarks }];
