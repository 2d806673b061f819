/** The meaning of the terms that pages show. */

export const yieldHelp = 'The granted part of the CPU that the job needs: 1 is full speed, 0.5 half of it. All tasks of a job have the same';

export const flowHelp = 'Time since the submission, or since the last job that it waited for ended, until the end of the job: what its user waits for, whether it runs or not';

export const virtualHelp = 'How far the job has come: the time that it would have run alone, at full speed, to get there';

export const priorityHelp =
  'Flow time / virtual time². A job that has waited long and run little has a high priority: it is resumed first and paused last. ∞: it has not run yet';

export const progressHelp = 'The speed at which the job advances now, as a part of full speed, and how it is known';
