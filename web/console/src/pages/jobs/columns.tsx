import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Job } from '../../api/client';
import { Moment } from '../../ui/Moment';
import { StateBadge } from '../../ui/StateBadge';
import { momentWidth, type Column } from '../../ui/column';
import { YieldBar } from '../../ui/YieldBar';
import { bytes, count, cpu, duration, priority } from '../../wording/amounts';
import { flowHelp, priorityHelp, yieldHelp } from '../../wording/terms';

/** The columns of the table of jobs. */
export const columns: Column<Job>[] = [
  { id: 'id', header: 'Job', width: 56, value: (job) => Number(job.id.slice(1)), cell: (job) => <JobLink job={job}>{job.id}</JobLink> },
  { id: 'name', header: 'Name', width: 118, value: (job) => job.name, cell: (job) => job.name || '–' },
  { id: 'state', header: 'State', width: 94, value: (job) => job.state, cell: (job) => <StateBadge state={job.state} /> },
  {
    id: 'yield', header: 'Yield', width: 100, help: yieldHelp,
    value: (job) => job.yield, cell: (job) => <YieldBar value={job.yield} />,
  },
  { id: 'why', header: 'Reason', help: 'Why the job is in its state, or why it ended', cell: reason },
  { id: 'tasks', header: 'Tasks', width: 54, align: 'end', value: taskCount, cell: (job) => count(taskCount(job)) },
  {
    id: 'need', header: 'Need', width: 80, align: 'end', help: 'CPU that each task can use at full speed',
    value: (job) => job.needMillicores, cell: (job) => cpu(job.needMillicores),
  },
  {
    id: 'memory', header: 'Memory', width: 76, align: 'end', help: 'Of each task',
    value: (job) => job.memoryBytes, cell: (job) => bytes(job.memoryBytes),
  },
  {
    id: 'flow', header: 'Flow time', width: 104, align: 'end', help: flowHelp,
    value: (job) => job.flowSeconds, cell: (job) => duration(job.flowSeconds),
  },
  {
    id: 'priority', header: 'Priority', width: 84, align: 'end', extra: true, help: priorityHelp,
    value: (job) => (job.ended ? undefined : (job.priority ?? Infinity)), cell: (job) => (job.ended ? '–' : priority(job.priority)),
  },
  { id: 'owner', header: 'Owner', width: 78, value: (job) => job.owner, cell: (job) => job.owner },
  { id: 'project', header: 'Project', width: 100, extra: true, value: (job) => job.project, cell: (job) => job.project },
  { id: 'submitted', header: 'Submitted', extra: true, width: momentWidth.short, value: (job) => job.submitted, cell: (job) => <Moment at={job.submitted} /> },
];

function JobLink({ job, children }: { job: Job; children: string }) {
  return (
    <Anchor component={Link} to={`/jobs/${job.id}`} size="sm" aria-label={`${job.id} ${job.name}`}>
      {children}
    </Anchor>
  );
}

/** On a phone, the first column shows the job's yield or state, and the reason. */
export const narrowColumns: Column<Job>[] = [...['id', 'yield', 'why'].map(called), ...columns.filter(({ id }) => !['id', 'yield', 'why'].includes(id))].map(
  (column) => (column.id === 'yield' ? { ...column, header: 'Yield, state', cell: yieldOrState } : column),
);

function called(id: string) {
  return columns.find((column) => column.id === id)!;
}

function yieldOrState(job: Job) {
  return job.state === 'running' ? <YieldBar value={job.yield} /> : <StateBadge state={job.state} />;
}

/** Shows why the job is in its state, or why it ended. */
export function reason(job: Job): string {
  return job.why?.text ?? job.cause ?? '';
}

function taskCount(job: Job): number {
  return job.spec.tasks ?? 1;
}
