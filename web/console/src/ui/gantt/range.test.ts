import { expect, test } from 'vitest';
import { panned, ticks, within, zoomed } from './range';

const hour = 3600_000;
const range = { from: 10 * hour, to: 12 * hour };

test('zooming keeps the moment under the pointer where it is', () => {
  expect(zoomed(range, 0.5, 10.5 * hour)).toEqual({ from: 10.25 * hour, to: 11.25 * hour });
  expect(zoomed(range, 2)).toEqual({ from: 9 * hour, to: 13 * hour });
});

test('nothing is shorter than a second', () => {
  const { from, to } = zoomed(range, 1e-9);
  expect(to - from).toBeCloseTo(1000);
});

test('panning keeps the length, and limits hold it back', () => {
  expect(panned(range, 0.25)).toEqual({ from: 10.5 * hour, to: 12.5 * hour });
  expect(within({ from: 11 * hour, to: 13 * hour }, { from: 0, to: 12 * hour })).toEqual(range);
  expect(within({ from: -5 * hour, to: 30 * hour }, { from: 0, to: 12 * hour })).toEqual({ from: 0, to: 12 * hour });
});

test('the axis has round moments, and not too many', () => {
  expect(ticks(range, 10)).toEqual({ step: 900_000, at: Array.from({ length: 9 }, (_, i) => 10 * hour + i * 900_000) });
  expect(ticks({ from: 100, to: 4100 }, 5, 100).at).toEqual([100, 1100, 2100, 3100, 4100]);
});
