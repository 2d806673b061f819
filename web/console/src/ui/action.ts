import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useNotify } from './Notifications';
import { isDoubtful, useOnce, type Run } from './once';

/** The question before a dangerous action: its effect, and the verb for the button. */
export interface Confirm {
  title: string;
  body: ReactNode;
  verb: string;
}

/** Action is a change of the cluster. */
export interface Action {
  label: string;
  /** Carries the action out. The key makes a repetition harmless. */
  run: Run<unknown>;
  done: string;
  confirm?: Confirm;
  undo?: Action;
  /** Why it would be refused now: it is shown, and not offered. */
  barred?: string;
}

/**
 * Runs an action with its question and its outcome. If the outcome is uncertain, the key is kept, so that trying again
 * does the action once.
 */
export function useAction(action: Action) {
  const [asking, setAsking] = useState(false);
  const once = useOnce();
  const notify = useNotify();
  const perform = useMutation({
    mutationFn: (what: Action) => once(what.label, what.run),
    onSuccess: (_, what) => notify.done(what.done, what.undo && { label: what.undo.label, run: () => perform.mutate(what.undo!) }),
    onError: (error, what) => notify.problem(error, isDoubtful(error) ? `“${what.label}” may have succeeded; you can safely repeat it` : `“${what.label}” was not done`),
    onSettled: () => setAsking(false),
  });
  const go = () => perform.mutate(action);
  return { ask: action.confirm ? () => setAsking(true) : go, asking, cancel: () => setAsking(false), go, pending: perform.isPending };
}
