import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Task } from '../../api/client';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { useUrlState } from '../../ui/url';
import { VirtualTable } from '../../ui/VirtualTable';
import type { Column } from '../../ui/column';
import { bytes, cpu } from '../../wording/amounts';
import { moveSentence } from '../../wording/plan';

/** TaskTable lists the tasks of a job: where each is, what it was given and what it uses. */
export function TaskTable({ tasks }: { tasks: Task[] }) {
  const [sort, setSort] = useUrlState('tasksort');
  return <VirtualTable label="Tasks" columns={columns} rows={tasks} rowKey={(task) => String(task.index)} sort={sort} onSort={setSort} height={480} />;
}

const amount = (value: number | undefined, words: (value: number) => string) => (value === undefined ? '–' : words(value));

const columns: Column<Task>[] = [
  { id: 'index', header: 'Task', width: 64, align: 'end', value: (task) => task.index, cell: (task) => task.index },
  { id: 'state', header: 'State', width: 110, value: (task) => task.state, cell: (task) => <StateBadge state={task.state} /> },
  { id: 'node', header: 'Node', width: 120, value: (task) => task.node, cell: (task) => <NodeLink node={task.node} /> },
  { id: 'share', header: 'Share', width: 110, align: 'end', help: 'Granted by the last decision', value: (task) => task.shareMillicores, cell: (task) => cpu(task.shareMillicores) },
  { id: 'asked', header: 'Cap asked', width: 110, align: 'end', value: (task) => task.capAskedMillicores, cell: (task) => cpu(task.capAskedMillicores) },
  { id: 'observed', header: 'Cap observed', width: 120, align: 'end', help: 'In force at the hypervisor', value: (task) => task.capObservedMillicores, cell: (task) => cpu(task.capObservedMillicores) },
  { id: 'used', header: 'Uses', width: 110, align: 'end', help: 'Measured over the last interval; the leader alone knows', value: (task) => task.usedMillicores, cell: (task) => amount(task.usedMillicores, cpu) },
  {
    id: 'memory', header: 'Resident', width: 110, align: 'end', help: 'Memory that the process of the VM holds on its node, with what the hypervisor itself needs; the node charges the job for both',
    value: (task) => task.usedMemoryBytes, cell: (task) => amount(task.usedMemoryBytes, bytes),
  },
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
