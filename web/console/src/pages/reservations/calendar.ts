import type { ExpectedStart, Promisable, Reservation } from '../../api/reservations';
import type { Span } from './span';

/** Level is the CPU that is promised, or that promises can count on, from a time on, until that of the next level. */
export interface Level {
  /** In milliseconds. */
  at: number;
  millicores: number;
}

const day = 24 * 3_600_000;
const grain = 300_000; // a chosen interval begins and ends at whole five minutes

/** Returns the time from now to the end of the last reservation, a day at least. */
export function horizon(list: Reservation[], now: number): Span {
  return { from: now, until: Math.max(now + day, ...standing(list, now).map(end)) };
}

/** Booking is what a promise, or a policy, keeps for a job. */
export type Booking = Pick<Reservation, 'tasks' | 'cpuMillicores' | 'due' | 'until'> & Partial<Pick<Reservation, 'state' | 'from' | 'parts'>>;

/** Returns what the policy booked for a waiting job. One without estimate ends with the horizon. */
export function booking(it: ExpectedStart, span: Span): Booking {
  return { tasks: it.tasks, cpuMillicores: it.cpuMillicores, due: it.start, until: it.until ?? new Date(span.until).toISOString() };
}

const standing = <T extends Booking>(list: T[], now: number) => list.filter((it) => it.state !== 'broken' && end(it) > now);

const end = (it: Booking) => Date.parse(it.parts?.at(-1)?.until ?? it.until);

/** Returns what is promised from now on. Each reservation counts from the time at which others make room for it. */
export function levels(list: Booking[], now: number): Level[] {
  const changes = standing(list, now).flatMap((it) => {
    const millicores = it.tasks * it.cpuMillicores;
    return spans(it)
      .filter(({ until }) => until > now)
      .flatMap(({ due, until }) => [{ at: Math.max(now, due), millicores }, { at: until, millicores: -millicores }]);
  });
  const all: Level[] = [{ at: now, millicores: 0 }];
  for (const { at, millicores } of changes.sort((a, b) => a.at - b.at)) {
    const last = all.at(-1)!;
    if (last.at === at) last.millicores += millicores;
    else all.push({ at, millicores: last.millicores + millicores });
  }
  return all;
}

/** Returns the parts of a promise, one for a promise at a stretch, in milliseconds. All have the same time to start their VMs. */
export function spans({ due, from, until, parts }: Omit<Booking, 'tasks' | 'cpuMillicores'>) {
  if (!parts || !from) return [{ due: Date.parse(due), from: Date.parse(from ?? due), until: Date.parse(until) }];
  const lead = Date.parse(from) - Date.parse(due);
  return parts.map((it) => ({ due: Date.parse(it.from) - lead, from: Date.parse(it.from), until: Date.parse(it.until) }));
}

/** Returns the CPU that promises can count on from now on. */
export function promisable(list: Promisable[], now: number): Level[] {
  return list.map((it, i) => ({ at: i === 0 ? now : Date.parse(it.from), millicores: it.cpuMillicores }));
}

/** Returns the levels in force at any moment of the interval. */
const during = (all: Level[], { from, until }: Span) => all.filter(({ at }, i) => at < until && (all[i + 1]?.at ?? Infinity) > from);

/** Returns the greatest CPU of all moments of the interval. */
export const greatest = (all: Level[], span: Span): number => Math.max(0, ...during(all, span).map((it) => it.millicores));

/** Returns the CPU that is not promised at any moment of the interval. */
export function left(capacity: Level[], promised: Level[], span: Span): number {
  const parts = during(capacity, span).map(({ at, millicores }, i, list) => {
    const part = { from: Math.max(at, span.from), until: Math.min(list[i + 1]?.at ?? span.until, span.until) };
    return millicores - greatest(promised, part);
  });
  return Math.max(0, Math.min(...parts));
}

/** Returns the interval between two places of the span, each a part of it, in whole five minutes and at least one of these. */
export function chosen(span: Span, one: number, other: number): Span {
  const moment = (part: number) => span.from + Math.min(1, Math.max(0, part)) * (span.until - span.from);
  const from = Math.ceil(moment(Math.min(one, other)) / grain) * grain;
  return { from, until: Math.max(from + grain, Math.round(moment(Math.max(one, other)) / grain) * grain) };
}

/** Returns the next whole hour of the clock that begins in five minutes or later, so that there is time to ask for it. */
export function nextHour(now: number): Span {
  const from = new Date(now + grain - 1).setMinutes(60, 0, 0);
  return { from, until: from + 3_600_000 };
}

/** Returns the interval as the form of a new job has it. */
export function reserved({ from, until }: Span) {
  return { reserveStart: new Date(from).toISOString().replace('.000Z', 'Z'), reserveDuration: `${Math.round((until - from) / 60_000)}m` };
}
