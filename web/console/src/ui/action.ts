import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { idempotencyKey } from '../api/client';
import { ProblemError } from '../api/problem';
import { useNotify } from './Notifications';

/** What is asked before something dangerous is done: what it will do, and the verb of the button. */
export interface Confirm {
  title: string;
  body: ReactNode;
  verb: string;
}

/** Action is something that changes the cluster. */
export interface Action {
  label: string;
  /** Does it. The key makes a repetition harmless. */
  run: (key: string) => Promise<unknown>;
  done: string;
  confirm?: Confirm;
  undo?: Action;
}

/** Runs an action with its question and its outcome. A doubtful outcome keeps the key, so that trying again does it once. */
export function useAction(action: Action) {
  const [asking, setAsking] = useState(false);
  const key = useRef(idempotencyKey());
  const notify = useNotify();
  const perform = useMutation({
    mutationFn: (what: Action) => what.run(key.current),
    onSuccess: (_, what) => {
      key.current = idempotencyKey();
      notify.done(what.done, what.undo && { label: what.undo.label, run: () => perform.mutate(what.undo!) });
    },
    onError: (error, what) => {
      if (!doubtful(error)) key.current = idempotencyKey();
      notify.problem(error, `“${what.label}” was not done`);
    },
    onSettled: () => setAsking(false),
  });
  const go = () => perform.mutate(action);
  return { ask: action.confirm ? () => setAsking(true) : go, asking, cancel: () => setAsking(false), go, pending: perform.isPending };
}

function doubtful(error: unknown): boolean {
  return error instanceof ProblemError && (error.problem.status === 0 || error.problem.status >= 500);
}
