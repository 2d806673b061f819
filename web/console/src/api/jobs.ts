import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, content, type JobSpec } from './client';

/** What restricts a list of jobs; what is empty does not. */
export interface JobFilter {
  name: string;
  states: string[];
  owner: string;
  project: string;
}

const pageSize = 500;

/** Jobs, newest first, page by page. */
export const jobsQuery = (filter: JobFilter) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', filter],
    queryFn: ({ pageParam }) =>
      content(
        api.GET('/v1/jobs', {
          params: {
            query: {
              name: filter.name ? pattern(filter.name) : undefined,
              state: filter.states.length > 0 ? filter.states : undefined,
              owner: filter.owner || undefined,
              project: filter.project || undefined,
              cursor: pageParam || undefined,
              limit: pageSize,
            },
          },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    refetchInterval: 30_000,
  });

// What is typed is found anywhere in the name, unless the reader writes a pattern.
function pattern(name: string): string {
  return /[*?]/.test(name) ? name : `*${name}*`;
}

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
