import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, content, type JobSpec } from './client';
import type { paths } from './schema';

/** What restricts a list of jobs; what is empty does not. */
export interface JobFilter {
  /** Words that must all be somewhere in id, name, owner, project, image or labels. */
  search: string;
  states: string[];
  owner: string;
  project: string;
}

type Sort = NonNullable<paths['/v1/jobs']['get']['parameters']['query']>['sort'];
const pageSize = 200;

/** Jobs page by page: newest first, or in the order of a column, which a minus before its name turns around. */
export const jobsQuery = (filter: JobFilter, sort: string) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', filter, sort],
    queryFn: ({ pageParam }) =>
      content(
        api.GET('/v1/jobs', {
          params: {
            query: {
              search: filter.search || undefined,
              state: filter.states.length > 0 ? filter.states : undefined,
              owner: filter.owner || undefined,
              project: filter.project || undefined,
              sort: (sort.replace('-', '') || undefined) as Sort,
              order: sort ? (sort.startsWith('-') ? 'desc' : 'asc') : undefined,
              limit: pageSize,
              ...pageParam,
            },
          },
        }),
      ),
    initialPageParam: {} as { cursor?: string; offset?: number },
    // Newest first, a cursor stays right while jobs come and go; in other orders only a count is possible.
    getNextPageParam: (page, pages) => {
      if (!sort) return page.next ? { cursor: page.next } : undefined;
      const offset = pages.reduce((sum, it) => sum + it.jobs.length, 0);
      return page.jobs.length > 0 && offset < page.total ? { offset } : undefined;
    },
    refetchInterval: 30_000,
  });

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: () => content(api.GET('/v1/jobs/{job}', { params: { path: { job: id } } })),
    refetchInterval: 10_000, // measured use and virtual time change without an event
  });

const keyed = (key: string) => ({ 'Idempotency-Key': key });

export const submitJob = (spec: JobSpec, key: string) => content(api.POST('/v1/jobs', { params: { header: keyed(key) }, body: spec }));

export const cancelJob = (job: string, key: string) =>
  content(api.DELETE('/v1/jobs/{job}', { params: { path: { job }, header: keyed(key) } }));

export const holdJob = (job: string, key: string) =>
  content(api.POST('/v1/jobs/{job}/hold', { params: { path: { job }, header: keyed(key) } }));

export const releaseJob = (job: string, key: string) =>
  content(api.POST('/v1/jobs/{job}/release', { params: { path: { job }, header: keyed(key) } }));
