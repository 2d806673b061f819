import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { YieldHistogram } from './YieldHistogram';

const bars = () => [...screen.getByRole('img').children].map((bar) => bar.textContent);

test('jobs at full need have a bar of their own, apart from those that nearly get it', () => {
  const counts = [0, 0, 0, 0, 0, 2, 0, 0, 0, 1500];
  render(<YieldHistogram yields={{ jobs: 1502, without: 0, least: 0.5, mean: 0.99, counts, full: 400 }} />);
  expect(screen.getByRole('img')).toHaveAccessibleName('Jobs by yield. 0.5 to below 0.6: 2 jobs; 0.9 to below 1.0: 1,100 jobs; 1, at full need: 400 jobs');
  expect(bars().slice(-2)).toEqual(['1,1000.9', '400full need']);
});

test('yields of 0.95 and of 1 look different', () => {
  const yields = { jobs: 7, without: 0, least: 0.95, mean: 0.95, counts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 7], full: 0 };
  const { rerender } = render(<YieldHistogram yields={yields} />);
  expect(bars().slice(-2)).toEqual(['70.9', 'full need']);
  rerender(<YieldHistogram yields={{ ...yields, full: 7 }} />);
  expect(bars().slice(-2)).toEqual(['0.9', '7full need']);
});

test('jobs without a share have a bar of their own, apart from those with a small one', () => {
  const counts = [492, 0, 0, 0, 0, 0, 0, 0, 0, 8];
  render(<YieldHistogram yields={{ jobs: 500, without: 489, least: 0, mean: 0.02, counts, full: 8 }} />);
  expect(screen.getByRole('img')).toHaveAccessibleName('Jobs by yield. 0, without a share: 489 jobs; 0.0 to below 0.1: 3 jobs; 1, at full need: 8 jobs');
  expect(bars().slice(0, 2)).toEqual(['489none', '30.0']);
});
