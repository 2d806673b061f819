import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refresher } from './refresher';
import { changedBy } from './topics';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a thousand events in a second refresh twice: at once, and when the second is over', async () => {
  const client = new QueryClient();
  const refresh = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  const refresher = new Refresher(client);
  for (let i = 0; i < 1000; i++) refresher.want(['jobs']);
  await vi.advanceTimersByTimeAsync(500);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(refresh).toHaveBeenCalledTimes(2);
});

test('what takes long is refreshed more rarely', async () => {
  const client = new QueryClient();
  const refresh = vi.spyOn(client, 'invalidateQueries').mockImplementation(() => new Promise((done) => setTimeout(done, 2000)));
  const refresher = new Refresher(client);
  const events = setInterval(() => refresher.want(['jobs']), 100);
  await vi.advanceTimersByTimeAsync(30_000);
  clearInterval(events);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test('an event changes what it is about', () => {
  const moved = { id: '1.0', revision: 1, at: '', kind: 'task_migrated', job: 'j1', node: 'n2', from: 'n1' };
  expect(changedBy(moved)).toEqual([['overview'], ['jobs'], ['job', 'j1'], ['workflows'], ['workflow'], ['nodes'], ['node', 'n2'], ['node', 'n1']]);
});
