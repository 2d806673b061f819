import type { Span } from '../../api/spans';

/** A yield from a time on, in seconds since 1970; null: unknown. */
export interface YieldPoint {
  at: number;
  value: number | null;
}

const progressing = ['running', 'moving'];

/**
 * Returns the yields of a job over time, from the spans of its tasks. Tasks advance together, so the yield is the least
 * one among the tasks, and 0 while a task stands still. Ended tasks do not count. The yield before `since` is unknown.
 */
export function yieldsOf(spans: Span[], tasks: number, submitted: number, since: number, until: number): YieldPoint[] {
  const changes = new Map<number, [task: number, rate: number | undefined][]>();
  const change = (at: number, task: number, rate: number | undefined) => changes.set(at, [...(changes.get(at) ?? []), [task, rate]]);
  for (const [task, own] of byTask(spans)) {
    own.forEach((span, i) => {
      const next = own[i + 1];
      change(Date.parse(span.from) / 1000, task, rateOf(span));
      if (span.to && span.to !== next?.from) change(Date.parse(span.to) / 1000, task, next ? 0 : undefined);
    });
  }
  const rates: (number | undefined)[] = Array.from({ length: tasks }, () => 0);
  const points: YieldPoint[] = since > submitted ? [{ at: submitted, value: null }] : [{ at: submitted, value: 0 }];
  for (const at of [...changes.keys()].sort((a, b) => a - b)) {
    for (const [task, rate] of changes.get(at)!) rates[task] = rate;
    points.push({ at, value: least(rates) });
  }
  const last = points.at(-1)!;
  if (until > last.at) points.push({ at: until, value: last.value });
  return points;
}

function byTask(spans: Span[]): Map<number, Span[]> {
  const tasks = new Map<number, Span[]>();
  for (const span of spans) {
    if (span.task !== undefined) tasks.set(span.task, [...(tasks.get(span.task) ?? []), span]);
  }
  for (const own of tasks.values()) own.sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
  return tasks;
}

/** In the background a task has no yield. */
const rateOf = (span: Span) => (progressing.includes(span.state) && span.needMillicores && span.tier !== 'background' ? span.shareMillicores / span.needMillicores : 0);

function least(rates: (number | undefined)[]): number {
  const live = rates.filter((rate) => rate !== undefined);
  return live.length > 0 ? Math.min(...live) : 0;
}
