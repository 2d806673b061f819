import type { Job } from '../../api/client';
import { cancelJob, holdJob, releaseJob } from '../../api/jobs';
import { maySteer, type Session } from '../../api/session';

/** Bulk is a change of several jobs. */
export interface Bulk {
  verb: 'Hold' | 'Release' | 'Cancel';
  done: string;
  about: string;
  /** Says which jobs the change leaves out, beside those of others. */
  leftOut: string;
  concerns: (job: Job) => boolean;
  run: (job: string, key: string) => Promise<unknown>;
}

export const bulks: Bulk[] = [
  { verb: 'Hold', done: 'held', about: 'They are paused if they run, keep their work, and do not run until they are released. Jobs with a promise are left out.', leftOut: 'already held or stopping, with a promise, ended', concerns: (job) => !job.held && !job.promise, run: holdJob },
  { verb: 'Release', done: 'released', about: 'They may run again, from where they were.', leftOut: 'not held, stopping, ended', concerns: (job) => job.held, run: releaseJob },
  { verb: 'Cancel', done: 'cancelled', about: 'Their tasks are stopped and their work is lost; this cannot be undone.', leftOut: 'already stopping, ended', concerns: () => true, run: cancelJob },
];

/** Returns the jobs that the change concerns and that the session may change. */
export function concerned(bulk: Bulk, jobs: Job[], session: Session): Job[] {
  return jobs.filter((job) => !job.ended && !job.outcome && bulk.concerns(job) && maySteer(session, job));
}

/** Failure is a job that was not changed. */
export interface Failure {
  job: string;
  error: unknown;
}

/**
 * Changes the jobs one after the other, until stopped. One that fails does not keep the others from it. Returns how many
 * were tried, and the failures.
 */
export async function runAll(bulk: Bulk, jobs: Job[], key: string, tell: (tried: number) => void, stopped: () => boolean) {
  const failures: Failure[] = [];
  let tried = 0;
  for (const job of jobs) {
    if (stopped()) break;
    await bulk.run(job.id, `${key}-${job.id}`).catch((error: unknown) => failures.push({ job: job.id, error }));
    tell(++tried);
  }
  return { tried, failures };
}
