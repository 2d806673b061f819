import { queryOptions } from '@tanstack/react-query';
import { api, content, type Job, type Task } from './client';

/** Placement is a task with its job. Its VM is on a node or, if it is coming, will be. */
export interface Placement {
  job: Job;
  task: Task;
  coming: boolean;
}

const comesTo = (node: string, task: Task) => task.target === node || task.move?.to === node;

/** The tasks that a node is charged for: those there, and those that are placed there or on their way there. */
export const placementsQuery = (node: string) =>
  queryOptions({
    queryKey: ['node', node, 'placements'],
    queryFn: async () => {
      const page = await content(api.GET('/v1/jobs', { params: { query: { node, state: ['active'], tasks: true, limit: 1000 } } }));
      return page.jobs.flatMap((job) =>
        (job.tasks ?? [])
          .filter((task) => task.node === node || comesTo(node, task))
          .map((task): Placement => ({ job, task, coming: task.node !== node })),
      );
    },
    refetchInterval: 10_000,
  });
