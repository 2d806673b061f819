import { useRef } from 'react';
import { idempotencyKey } from '../api/client';
import { ProblemError } from '../api/problem';

/** An action that runs under a key. */
export type Run<T> = (key: string) => Promise<T>;

/**
 * RefusedAgain means that a repetition was refused, although the earlier attempt, whose outcome is unknown, may have
 * succeeded.
 */
export class RefusedAgain extends ProblemError {}

/**
 * Returns a function that runs each action once. While the outcome of an attempt is unknown, the same action is
 * repeated under the same key, so trying again is harmless.
 */
export function useOnce() {
  const last = useRef({ about: '', key: '', doubtful: false });
  return async <T>(about: string, run: Run<T>): Promise<T> => {
    if (last.current.about !== about || last.current.key === '') last.current = { about, key: idempotencyKey(), doubtful: false };
    try {
      const answer = await run(last.current.key);
      last.current.key = '';
      return answer;
    } catch (error) {
      const before = last.current.doubtful;
      last.current.doubtful ||= isDoubtful(error);
      if (worthRepeating(error)) throw error;
      last.current.key = '';
      throw before && error instanceof ProblemError ? new RefusedAgain(error.problem) : error;
    }
  };
}

const statusOf = (error: unknown) => (error instanceof ProblemError ? error.problem.status : 400);

const worthRepeating = (error: unknown) => statusOf(error) === 0 || statusOf(error) >= 500;

/** Reports whether an action may have succeeded although it failed. After 503 it has not. */
export const isDoubtful = (error: unknown) => worthRepeating(error) && statusOf(error) !== 503;

/** Returns the title of an action's error: it was not done, or that is unknown. */
export const failure = (error: unknown, notDone: string) => (isDoubtful(error) ? 'It may have succeeded; you can safely repeat it' : notDone);
