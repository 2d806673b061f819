import { queryOptions } from '@tanstack/react-query';
import { api, content, type Job, type Task } from './client';

/** Placement is a task on a node, with its job. */
export interface Placement {
  job: Job;
  task: Task;
}

/** The tasks on a node. */
export const placementsQuery = (node: string) =>
  queryOptions({
    queryKey: ['node', node, 'placements'],
    queryFn: async () => {
      const page = await content(api.GET('/v1/jobs', { params: { query: { node, state: ['active'], tasks: true, limit: 1000 } } }));
      return page.jobs.flatMap((job) => (job.tasks ?? []).filter((task) => task.node === node).map((task): Placement => ({ job, task })));
    },
    refetchInterval: 10_000,
  });
