import type { Schemas } from './client';

/** Span is a period of a task in one state; promised ones are still to come. */
export type Span = Omit<Schemas['Span'], 'state'> & { state: Schemas['Span']['state'] | 'promised' };

/** TimelinePart is the known spans of a period. */
export interface TimelinePart {
  spans: Span[];
  /** Time until which open spans are known, in milliseconds. */
  at: number;
  /** Spans that ended before this time may be missing, in milliseconds. */
  since: number;
  /** There are more spans; the open ones and the latest ended ones are here. */
  cut: boolean;
}

/** Most spans that are kept. Nobody can distinguish more. */
export const mostSpans = 40_000;

/**
 * Joins a known timeline with a fresh one of its end. The fresh part contains all open spans; ended spans may be in
 * either part or in both. Spans that ended before `from` are dropped, and the oldest ones if there are too many.
 */
export function renewed(known: TimelinePart, fresh: TimelinePart, from: number): TimelinePart {
  const told = new Set(fresh.spans.map(spanKey));
  const kept = known.spans.filter((span) => span.to !== undefined && Date.parse(span.to) > from && !told.has(spanKey(span)));
  const spans = [...fresh.spans, ...kept];
  return { spans: spans.slice(0, mostSpans), at: fresh.at, since: Math.min(known.since, fresh.since), cut: known.cut || spans.length > mostSpans };
}

/** Identifies a span: the spans of one task do not overlap. */
export const spanKey = (span: Span) => `${span.job}/${span.task ?? ''}/${span.from}`;
