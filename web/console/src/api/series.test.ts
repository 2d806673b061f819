import { expect, test } from 'vitest';
import { mean, sum, timesOf } from './series';

test('a row that is not known stays a gap', () => {
  expect(sum([1, 2, null], [10, null, 30])).toEqual([11, null, null]);
  expect(mean([[1, null, null], [3, 4, null]], 3)).toEqual([2, 4, null]);
  expect(mean([], 2)).toEqual([null, null]);
});

test('rows are a step apart', () => {
  expect(timesOf({ start: '1970-01-01T00:01:00Z', stepSeconds: 60, rows: 3 })).toEqual([60, 120, 180]);
});
