import { queryOptions } from '@tanstack/react-query';
import { api, content } from './client';
import type { components } from './schema';

export type Results = components['schemas']['Results'];

/** Selects the files that a run of a task has left. */
export interface ResultSource {
  job: string;
  task: number;
  run: number;
}

export const resultsQuery = ({ job, task, run }: ResultSource) =>
  queryOptions({
    queryKey: ['results', job, task, run],
    queryFn: () => content(api.GET('/v1/jobs/{job}/tasks/{task}/files', { params: { path: { job, task }, query: { run } } })),
    retry: false,
  });

/** Returns the address of one of the files, or of an archive of all. */
export function resultAddress({ job, task, run }: ResultSource, path?: string): string {
  const query = new URLSearchParams({ run: String(run) });
  if (path !== undefined) query.set('path', path);
  return `/v1/jobs/${job}/tasks/${task}/files/${path === undefined ? 'archive' : 'content'}?${query.toString()}`;
}
