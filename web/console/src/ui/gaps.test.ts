import { expect, test } from 'vitest';
import { alone } from './gaps';

test('what no line leads to is drawn as a point', () => {
  expect(alone([null, 1, null, 2, 3, null, 4])).toEqual([1, 6]);
  expect(alone([0])).toEqual([0]);
  expect(alone([1, 2])).toEqual([]);
  expect(alone([])).toEqual([]);
});
