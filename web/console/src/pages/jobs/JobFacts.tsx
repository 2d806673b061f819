import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Job } from '../../api/client';
import type { Similar } from '../../api/experience';
import type { Promised } from '../../api/reservations';
import { Facts, type Fact } from '../../ui/Facts';
import { Moment } from '../../ui/Moment';
import { YieldBar } from '../../ui/YieldBar';
import { charged, count, cpu, cpuOf, duration, percent, priority, price } from '../../wording/amounts';
import { flowHelp, priorityHelp, progressHelp, virtualHelp, yieldHelp } from '../../wording/terms';

/** JobFacts shows the numbers of a job that policies use. */
export function JobFacts({ job }: { job: Job }) {
  const tasks = job.spec.tasks ?? 1;
  const facts: Fact[] = [
    { name: 'Yield', help: yieldHelp, value: <YieldBar value={job.yield} /> },
    { name: 'Share of each task', value: job.yield === undefined ? unplaced(job) : cpuOf(job.yield * job.needMillicores, job.needMillicores) },
    { name: 'Tasks', value: `${count(tasks)}: ${phases(job)}` },
    { name: 'Memory of each task', help: 'Memory of the guest; its node is also charged the overhead of a VM', value: charged(job.memoryBytes, job.chargeBytes) },
    { name: 'Flow time', help: flowHelp, value: duration(job.flowSeconds) },
    { name: 'Progress', help: progressHelp, value: progress(job) },
    { name: 'Virtual time', help: virtualHelp, value: duration(job.virtualSeconds) },
    { name: 'Running', help: 'Time during which all tasks made progress', value: duration(job.runningSeconds) },
    ...(job.similar ? [{ name: 'Jobs like it', help: 'How long the latest that succeeded took at full speed: jobs of the same owner, type, number of tasks and CPU', value: similar(job.similar) }] : []),
    { name: 'Priority', help: priorityHelp, value: job.ended ? '–' : priority(job.priority) },
    { name: 'Owner, project', value: `${job.owner}, ${job.project}` },
    ...(job.promise ? [{ name: 'Promised', help: 'The interval for which it is promised its full CPU and memory, or its end', value: promised(job.promise) }] : []),
    ...(job.promise?.priceCoreHours ? [{ name: 'Price', help: 'Of its promise, as it was agreed', value: `${price(job.promise.priceCoreHours)} core-hours` }] : []),
    ...(job.workflow ? [{ name: 'Workflow', value: <WorkflowLink to={job.workflow} /> }] : []),
    ...(job.spec.after ? [{ name: 'Waits for', help: 'Jobs that must have ended before it may run, and how', value: job.spec.after.join(', ') }] : []),
    { name: 'Submitted', value: <Moment at={job.submitted} /> },
    { name: 'Started', help: 'First time that all tasks ran', value: <Moment at={job.started} /> },
    { name: 'Ended', value: <Moment at={job.ended} /> },
  ];
  return <Facts facts={facts} />;
}

function WorkflowLink({ to }: { to: string }) {
  return (
    <Anchor component={Link} to={`/workflows/${to}`}>
      {to}
    </Anchor>
  );
}

const similar = ({ latest, medianSeconds, mostSeconds }: Similar) =>
  `half of the last ${count(latest)} took up to ${duration(medianSeconds)}, nine in ten up to ${duration(mostSeconds)}`;

function promised(promise: Promised) {
  if (promise.deadline) return <ByDeadline {...promise} />;
  return (
    <>
      <Moment at={promise.from} /> – <Moment at={promise.until} />, {promise.state.replace('_', ' ')}
    </>
  );
}

/** Says until when a job is promised to end, what it lacks, and how safe that is. */
function ByDeadline({ deadline, state, from, leftSeconds = 0, slackSeconds, shortSeconds, parts }: Promised) {
  const safe = safety({ state, slackSeconds, shortSeconds });
  return (
    <>
      to end by <Moment at={deadline} />: lacks {duration(leftSeconds)} at full CPU, which it has from <Moment at={from} /> on at the latest{parts && `, in ${parts.length} parts`}; {safe}
    </>
  );
}

/** Says how safe it is that a job ends by its deadline. */
function safety({ state, slackSeconds, shortSeconds }: Pick<Promised, 'state' | 'slackSeconds' | 'shortSeconds'>): string {
  if (shortSeconds !== undefined) return `nothing is kept for ${duration(shortSeconds)} of it`;
  return slackSeconds === undefined ? state.replace('_', ' ') : `could stand still for ${duration(slackSeconds)}`;
}

/** Says what a job without a yield has. */
function unplaced(job: Job): string {
  const task = job.tasks?.find((it) => it.tier === 'background' && it.shareMillicores > 0);
  if (task) return `up to ${cpu(task.shareMillicores)}, in the background`;
  return job.ended ? '–' : 'no placement';
}

const sources = { observed: 'observed', cap: 'from the cap: waits for CPU are not observed' };

function progress(job: Job): string {
  if (job.progressRate === undefined) return job.ended ? '–' : 'none';
  if (job.progressSource === 'grant') return 'not measured yet: virtual time stands still until the nodes report the CPU time that its tasks had';
  return `${percent(job.progressRate, 1)} of full speed, ${sources[job.progressSource ?? 'cap']}`;
}

function phases(job: Job): string {
  return Object.entries(job.phases)
    .map(([state, tasks]) => (Object.keys(job.phases).length === 1 ? state : `${count(tasks)} ${state}`))
    .join(', ');
}
