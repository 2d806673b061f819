import { useRef } from 'react';
import { idempotencyKey } from '../api/client';
import { ProblemError } from '../api/problem';

/** Does something under a key. */
export type Run<T> = (key: string) => Promise<T>;

/** RefusedAgain is that a repetition was refused: the attempt before, of which nobody knows how it ended, may have been done. */
export class RefusedAgain extends ProblemError {}

/**
 * Returns what does things once: as long as it is not known how one ended, the same thing is done under the same key, so that
 * trying again is harmless.
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

/** Tells whether an action may have been done though it failed; 503 says that it was not. */
export const isDoubtful = (error: unknown) => worthRepeating(error) && statusOf(error) !== 503;

/** The title of an action's error: that it was not done, unless that is not known. */
export const failure = (error: unknown, notDone: string) => (isDoubtful(error) ? 'It may have succeeded; you can safely repeat it' : notDone);
