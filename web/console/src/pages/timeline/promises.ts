import type { Reservation } from '../../api/reservations';
import type { Span } from '../../api/spans';

/** Returns the spans that reservations are promised, from now on, on the node and of the job if these are given. */
export function promisedSpans(list: Reservation[], now: number, { node, job }: { node: string; job: string }): Span[] {
  const kept = list.filter((it) => it.state !== 'broken' && Date.parse(it.until) > now && (!job || it.job === job));
  return kept.flatMap((it) =>
    it.nodes.flatMap((name, task) => (node && node !== name ? [] : [promised(it, task, name, now)])),
  );
}

function promised(it: Reservation, task: number, node: string, now: number): Span {
  return {
    job: it.job, name: it.name || undefined, task, node, state: 'promised', began: 'job_submitted',
    shareMillicores: it.cpuMillicores, needMillicores: it.cpuMillicores,
    from: Date.parse(it.due) < now ? new Date(now).toISOString() : it.due, to: it.until,
  };
}
