import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Job, Task } from '../../api/client';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import type { Column } from '../../ui/column';
import { bytes, cpu } from '../../wording/amounts';
import { moveSentence } from '../../wording/plan';

/** TaskTable lists the tasks of a job: where each is, what it was given and what it uses. */
export function TaskTable({ job }: { job: Job }) {
  const [sort, setSort] = useUrlState('tasksort');
  const shown = useMemo(() => columns(job), [job]);
  return <VirtualTable label="Tasks" columns={shown} rows={job.tasks ?? []} rowKey={(task) => String(task.index)} sort={sort} onSort={setSort} height={480} />;
}

/** What the columns of memory mean, here and on a node's page. */
export const residentHelp = 'Memory that the process of the VM holds on its node now: of the guest, and of the hypervisor for it, pages shared with other VMs included. More than is charged: the hypervisor needs more than the overhead that the node was told';
export const chargedHelp = 'Memory that the node sets aside for it as long as it is there: what the job asked for and the overhead of a VM; a node never sets aside more than it has';

/** A task is charged where it is. */
export const charged = (job: Job, task: Task) => (task.node ? job.chargeBytes : undefined);

const amount = (value: number | undefined, words: (value: number) => string) => (value === undefined ? '–' : words(value));

const columns = (job: Job): Column<Task>[] => [
  { id: 'index', header: 'Task', width: 64, align: 'end', value: (task) => task.index, cell: (task) => task.index },
  { id: 'state', header: 'State', width: 110, value: (task) => task.state, cell: (task) => <StateBadge state={task.state} /> },
  { id: 'node', header: 'Node', width: 120, value: (task) => task.node, cell: (task) => <NodeLink node={task.node} /> },
  { id: 'share', header: 'Share', width: 110, align: 'end', help: 'Granted by the last decision', value: (task) => task.shareMillicores, cell: (task) => cpu(task.shareMillicores) },
  { id: 'asked', header: 'Cap asked', width: 110, align: 'end', value: (task) => task.capAskedMillicores, cell: (task) => cpu(task.capAskedMillicores) },
  { id: 'observed', header: 'Cap observed', width: 120, align: 'end', help: 'In force at the hypervisor', value: (task) => task.capObservedMillicores, cell: (task) => cpu(task.capObservedMillicores) },
  { id: 'used', header: 'Uses', width: 110, align: 'end', help: 'Measured over the last interval; the leader alone knows', value: (task) => task.usedMillicores, cell: (task) => amount(task.usedMillicores, cpu) },
  {
    id: 'memory', header: 'Resident', width: 110, align: 'end', help: residentHelp,
    value: (task) => task.usedMemoryBytes, cell: (task) => amount(task.usedMemoryBytes, bytes),
  },
  { id: 'charged', header: 'Charged', width: 110, align: 'end', help: chargedHelp, value: (task) => charged(job, task), cell: (task) => amount(charged(job, task), bytes) },
  { id: 'tier', header: 'Tier', width: 120, value: (task) => task.tier, cell: (task) => task.tier },
  { id: 'run', header: 'Run', width: 60, align: 'end', help: 'Number of the latest start', value: (task) => task.run, cell: (task) => task.run || '–' },
  { id: 'what', header: 'Remarks', width: 320, cell: (task) => <Remarks task={task} /> },
];

function NodeLink({ node }: { node: string | undefined }) {
  if (!node) return <>–</>;
  return (
    <Anchor component={Link} to={`/nodes/${node}`} size="sm">
      {node}
    </Anchor>
  );
}

function Remarks({ task }: { task: Task }) {
  const remarks: string[] = [];
  if (task.move) remarks.push(moveSentence(task.move) + (task.move.aborted ? ', being given up' : ''));
  if (task.exit) remarks.push(exitWords(task.exit));
  if (task.failures > 0) remarks.push(`failed ${times(task.failures)}`);
  if (task.losses > 0) remarks.push(`lost ${times(task.losses)}`);
  if (task.attempts > 0) remarks.push(`${times(task.attempts)} in a row a move failed`);
  const text = remarks.join('; ');
  return (
    <span title={text}>
      {text}
      {task.retryAt && (
        <>
          {text && '; '}no move before <Moment at={task.retryAt} />
        </>
      )}
    </span>
  );
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function exitWords(exit: NonNullable<Task['exit']>): string {
  if (exit.cause) return exit.cause;
  return exit.signal ? `killed by ${exit.signal}` : `exited with ${exit.code ?? 0}`;
}
