import { act, render, screen } from '@testing-library/react';
import { memo } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Moment } from './Moment';

afterEach(() => void vi.useRealTimers());

const Row = memo(() => <Moment at={new Date(2026, 0, 1, 23, 50).toISOString()} />);

test('what was today has a date when it is yesterday, even where nothing else is written anew', () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 1, 23, 59, 58) });
  render(<Row />);
  expect(screen.getByRole('time')).toHaveTextContent(/^23:50:00 /);
  act(() => vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('time')).toHaveTextContent(/^2026-01-01 23:50 /);
});

test('a brief moment is a time without seconds today, and a date before', () => {
  vi.useFakeTimers({ now: new Date(2026, 0, 2, 12) });
  render(
    <>
      <Moment at={new Date(2026, 0, 2, 9, 5, 7).toISOString()} brief />
      <Moment at={new Date(2026, 0, 1, 9, 5, 7).toISOString()} brief />
    </>,
  );
  const [today, before] = screen.getAllByRole('time');
  expect(today).toHaveTextContent(/^09:05 \w+/);
  expect(before).toHaveTextContent(/^2026-01-01$/);
});
