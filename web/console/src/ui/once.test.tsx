import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProblemError } from '../api/problem';
import { problem } from '../test/render';
import { failure, useOnce } from './once';

const refusal = (status: number) => new ProblemError(problem(status, 'some', 'some problem'));

function keysOf() {
  const { result } = renderHook(useOnce);
  const keys: string[] = [];
  const press = (about: string, status?: number) =>
    result.current(about, (key) => {
      keys.push(key);
      return status === undefined ? Promise.resolve() : Promise.reject(refusal(status));
    }).catch(() => undefined);
  return { keys, press };
}

test('the key stays while the outcome is not known, and only for the same thing', async () => {
  const { keys, press } = keysOf();
  await press('a', 0);
  await press('a', 503);
  await press('a', 504);
  await press('a');
  expect(new Set(keys).size).toBe(1);
  await press('a', 504);
  await press('b', 504);
  expect(new Set(keys).size).toBe(3);
});

test('what was refused or done is a new request when it is asked for again', async () => {
  const { keys, press } = keysOf();
  await press('a', 409);
  await press('a');
  await press('a');
  expect(new Set(keys).size).toBe(3);
});

test('only what may have been done is told so', () => {
  const titles = [0, 409, 500, 503, 504].map((status) => failure(refusal(status), 'It was not done').startsWith('It may'));
  expect(titles).toEqual([true, false, true, false, true]);
});
