import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, content } from './client';

/** Restrictions of the events; empty fields do not restrict. */
export interface EventFilter {
  job?: string;
  node?: string;
  kinds?: string[];
}

/** Past events, newest first. The key begins with the job or node that they are about, so its events refresh them. */
export const historyQuery = (filter: EventFilter, limit = 200) =>
  infiniteQueryOptions({
    queryKey: filter.job ? ['job', filter.job, 'history', filter] : filter.node ? ['node', filter.node, 'history', filter] : ['history', filter],
    queryFn: ({ pageParam }) =>
      content(
        api.GET('/v1/history', {
          params: {
            query: {
              job: filter.job || undefined,
              node: filter.node || undefined,
              kind: filter.kinds && filter.kinds.length > 0 ? filter.kinds : undefined,
              cursor: pageParam || undefined,
              limit,
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });
