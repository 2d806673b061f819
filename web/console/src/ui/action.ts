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
  /** Returns what to offer, after a question, if this was refused with that error: for example the same by force. */
  instead?: (error: unknown) => (Action & { confirm: Confirm }) | undefined;
  /** Why it would be refused now: it is shown, and not offered. */
  barred?: string;
}

/**
 * Runs an action with its question and its outcome. If the outcome is uncertain, the key is kept, so that trying again
 * does the action once.
 */
export function useAction(action: Action) {
  const [asked, setAsked] = useState<Action>();
  const once = useOnce();
  const notify = useNotify();
  const perform = useMutation({
    mutationFn: (what: Action) => once(what.label, what.run),
    onSuccess: (_, what) => notify.done(what.done, what.undo && { label: what.undo.label, run: () => perform.mutate(what.undo!) }),
    onError: (error, what) => !what.instead?.(error) && notify.problem(error, isDoubtful(error) ? `“${what.label}” may have succeeded; you can safely repeat it` : `“${what.label}” was not done`),
    onSettled: (_, error, what) => setAsked(error ? what.instead?.(error) : undefined),
  });
  const go = (what: Action) => () => perform.mutate(what);
  return {
    ask: action.confirm ? () => setAsked(action) : go(action),
    asking: asked !== undefined,
    confirm: asked?.confirm ?? action.confirm,
    cancel: () => setAsked(undefined),
    go: go(asked ?? action),
    pending: perform.isPending,
  };
}
