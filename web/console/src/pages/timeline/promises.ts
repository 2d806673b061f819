import type { Reservation } from '../../api/reservations';
import type { Span } from '../../api/spans';
import type { Range } from '../../ui/gantt/range';

/** Returns the spans that reservations are promised within the range, from now on, on the node and of the job if these are given. */
export function promisedSpans(list: Reservation[], now: number, range: Range, { node, job }: { node: string; job: string }): Span[] {
  const within = (it: Reservation) => Math.max(now, range.from) < Date.parse(it.until) && Date.parse(it.due) < range.to;
  const kept = list.filter((it) => it.state !== 'broken' && within(it) && now < range.to && (!job || it.job === job));
  return kept.flatMap((it) => it.nodes.map((name, i) => promised(it, it.indexes[i]!, name, now))).filter((it) => !node || it.node === node);
}

function promised(it: Reservation, task: number, node: string, now: number): Span {
  return {
    job: it.job, name: it.name || undefined, task, node, state: 'promised', began: 'job_promised',
    shareMillicores: it.cpuMillicores, needMillicores: it.cpuMillicores,
    from: Date.parse(it.due) < now ? new Date(now).toISOString() : it.due, to: it.until,
  };
}
