import { cancelWorkflow, resumeWorkflow, type Workflow } from '../../api/workflows';
import type { Action } from '../../ui/action';
import { count } from '../../wording/amounts';

/** Submitting the tasks again that failed or were cancelled. */
export function resume(of: Workflow, lost: number): Action {
  return {
    label: 'Resume',
    run: (key) => resumeWorkflow(of.id, key),
    done: `${lost === 1 ? '1 task was' : `${count(lost)} tasks were`} submitted again`,
  };
}

/** Cancelling what has not ended. */
export function cancel(of: Workflow): Action {
  return {
    label: 'Cancel',
    run: (key) => cancelWorkflow(of.id, key),
    done: `${of.id} is being cancelled`,
    confirm: {
      title: `Cancel ${of.id}?`,
      verb: `Cancel ${of.id}`,
      body: <>All of its jobs that have not ended are cancelled, and their work is lost. What has succeeded stays, and it can be resumed.</>,
    },
  };
}
