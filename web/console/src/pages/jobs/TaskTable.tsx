import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { Job, Task } from '../../api/client';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { useSort } from '../../ui/sort';
import { VirtualTable } from '../../ui/VirtualTable';
import type { Column } from '../../ui/column';
import { bytes, cpu } from '../../wording/amounts';
import { moveSentence } from '../../wording/plan';

/** TaskTable lists the tasks of a job with their nodes, shares and usage. */
export function TaskTable({ job }: { job: Job }) {
  const shown = useMemo(() => columns(job), [job]);
  const [sort, setSort] = useSort(shown, '', 'tasksort');
  return <VirtualTable label="Tasks" columns={shown} rows={job.tasks ?? []} rowKey={(task) => String(task.index)} sort={sort} onSort={setSort} height={480} />;
}

/** The meaning of the memory columns, here and on a node's page. */
export const residentHelp =
  'Memory of the VM’s process in the host: the guest’s, the hypervisor’s own, and program pages that all VMs share. It may exceed what is charged by the shared pages, which count for every VM but exist once; only if the whole machine runs short (see its node) does the overhead per VM have to be raised';
export const chargedHelp = 'Memory that the node sets aside for it as long as it is there: what the job asked for and the overhead of a VM; a node never sets aside more than it has';

export const capHelp = 'Cap in force at the hypervisor, and the ordered cap if it differs';

/** Shows the cap in force, and the ordered cap if it differs. */
export function cap({ state, capAskedMillicores: asked, capObservedMillicores: observed }: Task): string {
  if (state === 'ended') return '–';
  return asked === observed ? cpu(observed) : `${cpu(observed)}, asked ${cpu(asked)}`;
}

const amount = (value: number | undefined, words: (value: number) => string) => (value === undefined ? '–' : words(value));

const columns = (job: Job): Column<Task>[] => [
  { id: 'index', header: 'Task', width: 60, align: 'end', value: (task) => task.index, cell: (task) => task.index },
  { id: 'state', header: 'State', width: 104, help: 'A task that fails fails its job, whose other tasks are then stopped', value: (task) => outcome(job, task), cell: (task) => <StateBadge state={outcome(job, task)} /> },
  { id: 'node', header: 'Node', width: 92, value: (task) => task.node, cell: (task) => <NodeLink node={task.node} /> },
  { id: 'share', header: 'Share', width: 100, align: 'end', help: 'Granted by the last decision', value: (task) => task.shareMillicores, cell: (task) => (task.state === 'ended' ? '–' : cpu(task.shareMillicores)) },
  { id: 'cap', header: 'Cap', width: 124, align: 'end', help: capHelp, value: (task) => task.capObservedMillicores, cell: cap },
  { id: 'used', header: 'Uses', width: 100, align: 'end', help: 'Measured over the last interval; only the leader knows', value: (task) => task.usedMillicores, cell: (task) => amount(task.usedMillicores, cpu) },
  {
    id: 'memory', header: 'Resident', width: 92, align: 'end', help: residentHelp,
    value: (task) => task.usedMemoryBytes, cell: (task) => amount(task.usedMemoryBytes, bytes),
  },
  {
    id: 'charged', header: 'Charged', width: 92, align: 'end', help: chargedHelp,
    value: (task) => (task.node ? job.chargeBytes : undefined), cell: (task) => amount(task.node ? job.chargeBytes : undefined, bytes),
  },
  { id: 'run', header: 'Run', width: 56, align: 'end', help: 'Number of the latest run', value: (task) => task.run, cell: (task) => task.run || '–' },
  { id: 'what', header: 'Remarks', value: (task) => remarks(job, task), cell: (task) => <Remarks job={job} task={task} /> },
];

function NodeLink({ node }: { node: string | undefined }) {
  if (!node) return <>–</>;
  return (
    <Anchor component={Link} to={`/nodes/${node}`} size="sm">
      {node}
    </Anchor>
  );
}

/** Beginnings of the remark on a task that is placed elsewhere, by its state; others move. */
const coming: Record<string, string> = { waiting: 'start on', paused: 'resume on' };

/**
 * Returns the state of a task. Of one that has ended, it tells failures and tasks that were stopped. No task failed a
 * job that was cancelled.
 */
function outcome(job: Job, task: Task): string {
  const settled = job.outcome ?? job.state;
  if (task.state !== 'ended' || task.exit?.code === 0) return task.state;
  if (task.exit && task.failures + task.losses > 0 && settled !== 'cancelled') return 'failed';
  return ['failed', 'cancelled', 'stopping'].includes(settled) ? 'stopped' : task.state;
}

function remarks(job: Job, task: Task): string {
  const all: string[] = [];
  if (outcome(job, task) === 'stopped') all.push(stopped(job));
  if (task.address) all.push(`address ${task.address}`);
  if (task.core) all.push(`on core ${task.core}`);
  if (task.tier === 'background') all.push('background tier');
  if (task.move) all.push(moveSentence(task.move) + (task.move.aborted ? ', being aborted' : ''));
  else if (task.target) all.push(`is to ${coming[task.state] ?? 'move to'} ${task.target}`);
  if (task.exit && ['ended', 'waiting'].includes(task.state)) all.push(exitWords(task.exit)); // otherwise that of an earlier run
  if (task.failures > 0) all.push(`failed ${times(task.failures)}`);
  if (task.losses > 0) all.push(`lost ${times(task.losses)}`);
  if (task.attempts > 0) all.push((task.attempts === 1 ? 'its last move failed' : `its last ${task.attempts} moves failed`) + (task.trouble ? ` (${task.trouble})` : ''));
  return all.join('; ');
}

/** Says why a task was stopped, or never started. A job that is stopping tells it itself. */
function stopped(job: Job): string {
  const failed = job.tasks?.find((task) => outcome(job, task) === 'failed');
  if (failed) return `stopped because task ${failed.index} failed`;
  return (job.outcome ?? job.state) === 'cancelled' ? 'stopped because its job was cancelled' : 'stopped with its job';
}

function Remarks({ job, task }: { job: Job; task: Task }) {
  const text = remarks(job, task);
  return (
    <>
      {text}
      {task.retryAt && (
        <>
          {text && '; '}no move before <Moment at={task.retryAt} />
        </>
      )}
    </>
  );
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function exitWords(exit: NonNullable<Task['exit']>): string {
  if (exit.cause) return exit.cause;
  return exit.signal ? `killed by ${exit.signal}` : `exited with ${exit.code ?? 0}`;
}
