import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, content, type Schemas } from './client';
import { mostSpans, renewed, type Span, type TimelinePart } from './spans';

/** Restrictions of a timeline; empty fields do not restrict. */
export interface TimelineFilter {
  job: string;
  node: string;
  /** Also the spans without a node: jobs that wait or are held, and paused tasks. */
  all?: boolean;
}

/** A fixed period, or the last period up to now, in milliseconds. */
export type TimelineWhen = { from: number; to: number } | { last: number };

const pageSize = 10_000;
const overlap = 60_000; // an event just before an answer may be reported late

/** The spans of a period. New ones are read periodically; for a fixed period only while it can still change. */
export const timelineQuery = (when: TimelineWhen, filter: TimelineFilter) =>
  queryOptions({
    queryKey: ['timeline', when, filter],
    queryFn: ({ client, queryKey }) => ('last' in when ? readOn(client.getQueryData<TimelinePart>(queryKey), when.last, filter) : readTimeline(when, filter)),
    placeholderData: keepPreviousData,
    structuralSharing: false, // comparing tens of thousands of spans takes longer than drawing them
    refetchInterval: ({ state }) => soon(when, state.data),
    gcTime: 10_000, // navigation leaves many parts behind, each with tens of thousands of spans
  });

/**
 * Returns the time until the next request, in milliseconds: short if the period reaches the present, long if only open
 * spans can still end.
 */
function soon(when: TimelineWhen, part?: TimelinePart): number | false {
  const length = 'last' in when ? when.last : when.to - when.from;
  if ('last' in when || (part && when.to > part.at - overlap)) return Math.min(60_000, Math.max(5_000, length / 200, part?.spans.length ?? 0));
  return (part?.spans ?? []).some((span) => !span.to) && 300_000;
}

/** The timeline of a job. The key begins with the job, so its events refresh it. */
export const jobTimelineQuery = (job: string) =>
  queryOptions({
    queryKey: ['job', job, 'timeline'],
    queryFn: () => allPages((cursor) => content(api.GET('/v1/jobs/{job}/timeline', { params: { path: { job }, query: { cursor, limit: pageSize } } }))),
    refetchInterval: 60_000,
  });

/** Reads the new spans, or everything if the new and the known spans leave a gap. */
async function readOn(known: TimelinePart | undefined, last: number, filter: TimelineFilter): Promise<TimelinePart> {
  const now = Date.now();
  const whole = { from: now - last, to: now };
  if (!known || known.at - overlap < whole.from) return readTimeline(whole, filter);
  const fresh = await readTimeline({ from: known.at - overlap, to: now }, filter);
  return fresh.cut || fresh.since > known.at - overlap ? readTimeline(whole, filter) : renewed(known, fresh, whole.from);
}

function readTimeline({ from, to }: { from: number; to: number }, { job, node, all }: TimelineFilter): Promise<TimelinePart> {
  return allPages((cursor) =>
    content(
      api.GET('/v1/timeline', {
        params: {
          query: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), job: job || undefined, node: node || undefined, all: all || undefined, cursor, limit: pageSize },
        },
      }),
    ),
  );
}

async function allPages(read: (cursor?: string) => Promise<Schemas['Timeline']>): Promise<TimelinePart> {
  const spans: Span[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    spans.push(...page.spans);
    cursor = page.next;
    if (!cursor || spans.length >= mostSpans) return { spans, at: Date.parse(page.at), since: Date.parse(page.since), cut: cursor !== undefined };
  }
}
