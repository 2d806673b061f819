import { expect, test } from 'vitest';
import { cpu, bytes, duration } from '../wording/amounts';
import { roundBytes, roundDurations, spaceFor, topOf } from './axis';

test('marks are as far apart as their words are long', () => {
  expect(spaceFor(duration, 0, 5000)).toBeGreaterThan(7 * '33 min 20 s'.length);
  expect(spaceFor((value) => `${value} %`, 0, 100)).toBeLessThan(60);
});

test('the marks of a stream of jobs are round', () => {
  expect(roundDurations.map(duration).filter((words) => words.split(' ').length > 2)).toEqual([]);
});

test('an axis of next to nothing does not say the same twice', () => {
  const top = topOf(0.8, 10);
  const marks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => cpu(part * top));
  expect(new Set(marks).size).toBe(marks.length);
  expect(topOf(5000, 10)).toBeCloseTo(5400);
  expect(topOf(null)).toBe(1);
});

test('marks of memory are whole numbers of a unit', () => {
  expect(roundBytes.map(bytes).filter((words) => words.includes('.'))).toEqual([]);
  expect(roundBytes).toEqual(roundBytes.toSorted((a, b) => a - b));
});
