import { queryOptions } from '@tanstack/react-query';
import { api, content, type Job, type JobSpec } from './client';
import type { paths } from './schema';

/** Restrictions of a list of jobs; empty fields do not restrict. */
export interface JobFilter {
  /** Words that must all occur in id, name, owner, project, image or labels. */
  search: string;
  states: string[];
  owner: string;
  project: string;
}

const selected = (filter: JobFilter) => ({
  search: filter.search || undefined,
  state: filter.states.length > 0 ? filter.states : undefined,
  owner: filter.owner || undefined,
  project: filter.project || undefined,
});

/** Reads all jobs that pass the filter, the newest first. */
export async function allJobs(filter: JobFilter): Promise<Job[]> {
  const jobs: Job[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await content(api.GET('/v1/jobs', { params: { query: { ...selected(filter), cursor, limit: 1000 } } }));
    jobs.push(...page.jobs);
    if (!(cursor = page.next)) return jobs;
  }
}

type Sort = NonNullable<paths['/v1/jobs']['get']['parameters']['query']>['sort'];

/** Number of jobs on one page of a list. */
export const jobPageSize = 100;

/**
 * A page of the jobs, counted from 0: newest first, or sorted by a column. A minus before the column's name reverses
 * the order.
 */
export const jobPageQuery = (filter: JobFilter, sort: string, page: number) =>
  queryOptions({
    queryKey: ['jobs', 'list', filter, sort, page],
    queryFn: () =>
      content(
        api.GET('/v1/jobs', {
          params: {
            query: {
              ...selected(filter),
              sort: (sort.replace('-', '') || undefined) as Sort,
              order: sort ? (sort.startsWith('-') ? 'desc' : 'asc') : undefined,
              offset: page > 0 ? page * jobPageSize : undefined,
              limit: jobPageSize,
            },
          },
        }),
      ),
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
