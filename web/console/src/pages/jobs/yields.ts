import type { Event } from '../../api/client';

/** A yield that held from a time on. */
export interface YieldPoint {
  at: number;
  value: number;
}

/** The yields of a job over time, from its events, newest first as history has them; needs and shares are in millicores. */
export function yieldsOf(events: Event[], need: number): YieldPoint[] {
  const points: YieldPoint[] = [];
  for (const event of events.toReversed()) {
    const at = Date.parse(event.at) / 1000;
    if (event.kind === 'job_placed') points.push({ at, value: (event.shareMillicores ?? 0) / need });
    if (event.kind === 'job_unplaced' || event.kind === 'job_ended' || event.kind === 'job_submitted') points.push({ at, value: 0 });
  }
  return points;
}
