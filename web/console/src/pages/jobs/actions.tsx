import type { Job } from '../../api/client';
import { cancelJob, holdJob, releaseJob } from '../../api/jobs';
import { extendPromise, shortenPromise } from '../../api/reservations';
import type { Action } from '../../ui/action';
import { count } from '../../wording/amounts';

/** Holding a job: it does not run until it is released. If it runs, it is paused. */
export function hold(job: Job): Action {
  const idle = ['paused', 'waiting', 'dependent'].includes(job.state);
  return {
    label: idle ? 'Hold' : 'Pause',
    run: (key) => holdJob(job.id, key),
    done: idle ? `${job.id} is held: it does not run until it is released` : `${job.id} is held: its tasks are paused, their work is kept`,
    undo: releaseBare(job),
    barred: job.promise && `${job.id} has a promise, which would be lost: cancel it instead`,
  };
}

/** Releasing a held job. */
export function release(job: Job): Action {
  return { ...releaseBare(job), undo: { label: 'Pause again', run: (key) => holdJob(job.id, key), done: `${job.id} is held again` } };
}

function releaseBare(job: Job): Action {
  return { label: 'Resume', run: (key) => releaseJob(job.id, key), done: `${job.id} is not held any more` };
}

/** Cancelling a job: its work is lost. */
export function cancel(job: Job): Action {
  const tasks = job.spec.tasks ?? 1;
  return {
    label: 'Cancel',
    run: (key) => cancelJob(job.id, key),
    done: `${job.id} is being cancelled`,
    confirm: {
      title: `Cancel ${job.id}?`,
      verb: `Cancel ${job.id}`,
      body: (
        <>
          {tasks === 1 ? 'Its task is' : `Its ${count(tasks)} tasks are`} stopped and {tasks === 1 ? 'its' : 'their'} work is lost; this cannot be undone. The output
          so far is kept.{!job.promise && ' To stop it for a while and keep its work, pause it.'}
        </>
      ),
    },
  };
}

/** Extending what is promised to a job by half an hour. It is refused if there is no room. */
export function extend(job: Job): Action {
  return {
    label: 'Extend by 30 min',
    run: (key) => extendPromise(job.id, key),
    done: `What is promised to ${job.id} ends half an hour later`,
    undo: { label: 'Shorten again', run: (key) => shortenPromise(job.id, key), done: `What is promised to ${job.id} ends as before` },
  };
}
