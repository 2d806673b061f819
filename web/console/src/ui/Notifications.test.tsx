import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem, renderPage } from '../test/render';
import { ProblemError } from '../api/problem';
import { useNotify } from './Notifications';

let notify: ReturnType<typeof useNotify>;
function Probe() {
  notify = useNotify();
  return null;
}

beforeEach(() => {
  vi.useFakeTimers();
  renderPage(<Probe />);
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1000));
const refused = (what: string) => act(() => notify.problem(new ProblemError(problem(409, 'conflict', what)), what));

test('a success goes after a while, one with a way back later, a problem stays', () => {
  act(() => notify.done('plain'));
  act(() => notify.done('undoable', { label: 'Undo', run: () => undefined }));
  refused('not done');
  pass(9);
  expect(screen.queryByText('plain')).toBeNull();
  expect(screen.getByText('undoable')).toBeVisible();
  pass(25);
  expect(screen.queryByText('undoable')).toBeNull();
  expect(screen.getByText('not done')).toBeVisible();
});

test('what is pointed at or has the focus stays, and F8 leads to it', () => {
  const run = vi.fn();
  act(() => notify.done('paused', { label: 'Resume', run }));
  fireEvent.keyDown(document.documentElement, { key: 'F8', code: 'F8' });
  expect(screen.getByRole('button', { name: 'Resume' })).not.toBeNull();
  expect(screen.getByRole('region', { name: /^Notifications/ })).toContainElement(document.activeElement as HTMLElement);
  pass(120);
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }));
  expect(run).toHaveBeenCalledOnce();
  act(() => notify.done('again'));
  fireEvent.mouseEnter(screen.getByText('again').closest('[role="status"]')!);
  pass(120);
  expect(screen.getByText('again')).toBeVisible();
  fireEvent.mouseLeave(screen.getByText('again').closest('[role="status"]')!);
  pass(9);
  expect(screen.queryByText('again')).toBeNull();
});

test('many successes drop no problem', () => {
  refused('first');
  for (let i = 0; i < 10; i++) act(() => notify.done(`done ${i}`));
  expect(screen.getByText('first')).toBeVisible();
  expect(screen.queryByText('done 5')).toBeNull();
  expect(screen.getByText('done 6')).toBeVisible();
});
