import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden } from '../../test/answers';
import { admin, renderPage } from '../../test/render';
import { JobPage } from './JobPage';

/** A socket as the browser's, which the tests drive. */
class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  readyState = 1;
  onopen = () => undefined as void;
  onmessage = (_: { data: ArrayBuffer }) => undefined as void;
  onclose = () => undefined as void;
  constructor() {
    Socket.last = this;
  }
  send = vi.fn();
  close = vi.fn();
  brings = (...bytes: number[]) => act(() => this.onmessage({ data: new Uint8Array(bytes).buffer }));
}

const shown = vi.hoisted(() => ({ write: vi.fn(), close: vi.fn() })); // jsdom has no canvas to measure characters with
vi.mock('../../ui/screen', () => ({
  openScreen: () => ({ ...shown, focus: () => undefined, size: () => ({ rows: 24, columns: 80 }) }),
}));

beforeEach(() => {
  Reflect.deleteProperty(Socket, 'last');
  vi.stubGlobal('WebSocket', Socket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const running = golden<Job>('job_running.json');
const page = (job: Job, session = admin) => {
  answer({ 'GET /v1/jobs/j1': job });
  renderPage(<JobPage />, { at: '/jobs/j1?tab=terminal', pattern: '/jobs/:job', session });
};
const inState = (state: string): Job => ({ ...running, tasks: running.tasks!.map((task) => ({ ...task, state }) as typeof task) });

test('beside a running task a command can be run', async () => {
  page(inState('running'));
  expect(await screen.findByRole('button', { name: 'Run' })).toBeEnabled();
  expect(screen.getByRole('textbox', { name: 'Command' })).toHaveValue('sh');
});

test('beside a paused task none can be', async () => {
  page(inState('paused'));
  expect(await screen.findByRole('button', { name: 'Run' })).toBeDisabled();
  expect(screen.getByText('A command can run beside a task only while that runs.')).toBeVisible();
});

test('to others than its owner and operators it is not offered', async () => {
  page(inState('running'), { ...admin, role: 'user', owner: 'somebody', project: 'else' });
  expect(await screen.findByText('Only its owner and operators run commands beside the tasks of a job.')).toBeVisible();
});

async function ran() {
  page(inState('running'));
  fireEvent.click(await screen.findByRole('button', { name: 'Run' }));
  await screen.findByText('Task 0: connecting.');
  await vi.waitFor(() => expect(Socket.last).toBeDefined());
  const socket = Socket.last;
  act(() => socket.onopen());
  return socket;
}

test('a command that runs is shown until it ends', async () => {
  const socket = await ran();
  socket.brings(2);
  expect(screen.getByText('Task 0: the command runs.')).toBeVisible();
  socket.brings(3, 104, 105);
  expect(shown.write.mock.lastCall![0]).toEqual(new Uint8Array([104, 105]));
  socket.brings(6, ...new TextEncoder().encode('{"code":3}'));
  expect(screen.getByText('Task 0: the command has ended with code 3.')).toBeVisible();
});

test('leaving the tab ends the command', async () => {
  const socket = await ran();
  fireEvent.click(screen.getByRole('tab', { name: 'Tasks' }));
  expect(socket.close).toHaveBeenCalled();
  expect(shown.close).toHaveBeenCalled();
});

test('a command that writes faster than the page can show is stopped', async () => {
  const socket = await ran();
  const frame = new Uint8Array(16 << 10).fill(3).buffer;
  act(() => {
    for (let sent = 0; sent <= 8 << 20; sent += (16 << 10) - 1) socket.onmessage({ data: frame });
  });
  expect(screen.getByText('Task 0: it was stopped, because it writes faster than this page can show.')).toBeVisible();
  expect(socket.close).toHaveBeenCalled();
});
