import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';

export type Span = Schemas['Span'];

/** TimelinePart is what is known of a stretch of time. */
export interface TimelinePart {
  spans: Span[];
  /** Until when spans that last are known, in milliseconds. */
  at: number;
  /** Spans that ended before may be missing, in milliseconds. */
  since: number;
  /** There are more; these are the first that were found. */
  cut: boolean;
}

/** What restricts a timeline; what is empty does not. */
export interface TimelineFilter {
  job: string;
  node: string;
}

/** A stretch of time that stays, or the last while; in milliseconds. */
export type TimelineWhen = { from: number; to: number } | { last: number };

const pageSize = 10_000;
const mostSpans = 40_000; // beyond that nobody tells them apart

/** The spans of a stretch of time; those of the last while are read again and again. */
export const timelineQuery = (when: TimelineWhen, filter: TimelineFilter) =>
  queryOptions({
    queryKey: ['timeline', when, filter],
    queryFn: () => readTimeline('last' in when ? { from: Date.now() - when.last, to: Date.now() } : when, filter),
    placeholderData: keepPreviousData,
    refetchInterval: 'last' in when ? Math.min(60_000, Math.max(5_000, when.last / 200)) : false,
  });

async function readTimeline({ from, to }: { from: number; to: number }, { job, node }: TimelineFilter): Promise<TimelinePart> {
  const spans: Span[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await content(
      api.GET('/v1/timeline', {
        params: {
          query: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), job: job || undefined, node: node || undefined, cursor, limit: pageSize },
        },
      }),
    );
    spans.push(...page.spans);
    cursor = page.next;
    if (!cursor || spans.length >= mostSpans) return { spans, at: Date.parse(page.at), since: Date.parse(page.since), cut: cursor !== undefined };
  }
}
