import type { Reservation } from '../../api/reservations';

/** The time that the bars of all reservations share, in milliseconds. */
export interface Span {
  from: number;
  until: number;
}

/** Returns the time from now, or the begin of a reservation before, to the end of the last one. */
export function spanOf(list: Reservation[], now: number): Span {
  return {
    from: Math.min(now, ...list.map((it) => Date.parse(it.due))),
    until: Math.max(now + 1, ...list.map((it) => Date.parse(it.until))),
  };
}

/** Returns where the moment lies in the span, in percent. */
export function place(span: Span, at: string): number {
  return ((Date.parse(at) - span.from) / (span.until - span.from)) * 100;
}
