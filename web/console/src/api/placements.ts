import { queryOptions } from '@tanstack/react-query';
import { api, content, type Job, type Task } from './client';

/** Placement is a task on a node with its job. */
export interface Placement {
  node: string;
  job: Job;
  task: Task;
}

/** The tasks that are on some node, by the node's name. */
export const placementsQuery = queryOptions({
  queryKey: ['jobs', 'placements'],
  queryFn: async () => byNode(await activeJobs()),
  refetchInterval: 30_000,
});

async function activeJobs(): Promise<Job[]> {
  const jobs: Job[] = [];
  let cursor: string | undefined;
  do {
    const page = await content(api.GET('/v1/jobs', { params: { query: { state: ['active'], tasks: true, limit: 1000, cursor } } }));
    jobs.push(...page.jobs);
    cursor = page.next;
  } while (cursor);
  return jobs;
}

function byNode(jobs: Job[]): Map<string, Placement[]> {
  const nodes = new Map<string, Placement[]>();
  for (const job of jobs) {
    for (const task of job.tasks ?? []) {
      if (!task.node) continue;
      const there = nodes.get(task.node) ?? [];
      there.push({ node: task.node, job, task });
      nodes.set(task.node, there);
    }
  }
  return nodes;
}
