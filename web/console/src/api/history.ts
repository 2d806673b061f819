import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, content } from './client';

/** Restrictions of the events; empty fields do not restrict. */
export interface EventFilter {
  job?: string;
  node?: string;
  kinds?: string[];
}

/**
 * Past events, newest first. The key begins with the job or node that they are about, so its events refresh them. A page
 * of the API may be empty although there are older events; a page here is not.
 */
export const historyQuery = (filter: EventFilter, limit = 200) =>
  infiniteQueryOptions({
    queryKey: filter.job ? ['job', filter.job, 'history', filter] : filter.node ? ['node', filter.node, 'history', filter] : ['history', filter],
    queryFn: async ({ pageParam, signal }) => {
      for (let cursor = pageParam; ; ) {
        const page = await content(api.GET('/v1/history', { params: { query: { ...asQuery(filter), cursor: cursor || undefined, limit } }, signal }));
        if (page.events.length > 0 || !page.next) return page;
        cursor = page.next;
      }
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });

const asQuery = ({ job, node, kinds }: EventFilter) => ({ job: job || undefined, node: node || undefined, kind: kinds && kinds.length > 0 ? kinds : undefined });
