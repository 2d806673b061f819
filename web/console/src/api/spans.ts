import type { Schemas } from './client';

export type Span = Schemas['Span'];

/** TimelinePart is what is known of a stretch of time. */
export interface TimelinePart {
  spans: Span[];
  /** Until when spans that last are known, in milliseconds. */
  at: number;
  /** Spans that ended before may be missing, in milliseconds. */
  since: number;
  /** There are more; these are what lasts and what ended last. */
  cut: boolean;
}

/** More spans than that nobody tells apart. */
export const mostSpans = 40_000;

/**
 * What is known of a timeline after its end was read anew: what lasts is all in the fresh part, and what has ended is in either or
 * both. What ended before `from` is left out, and the longest ago if there is too much.
 */
export function renewed(known: TimelinePart, fresh: TimelinePart, from: number): TimelinePart {
  const told = new Set(fresh.spans.map(spanKey));
  const kept = known.spans.filter((span) => span.to !== undefined && Date.parse(span.to) > from && !told.has(spanKey(span)));
  const spans = [...fresh.spans, ...kept];
  return { spans: spans.slice(0, mostSpans), at: fresh.at, since: Math.min(known.since, fresh.since), cut: known.cut || spans.length > mostSpans };
}

/** Names a span: those of one task do not overlap. */
export const spanKey = (span: Span) => `${span.job}/${span.task ?? ''}/${span.from}`;
