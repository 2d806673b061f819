import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden, Refusal } from '../../test/answers';
import { admin, problem, renderPage, roomForTables } from '../../test/render';
import { flowHelp, priorityHelp, virtualHelp } from '../../wording/terms';
import { JobPage } from './JobPage';

const running = golden<Job>('job_running.json');
const page = (job: Job, answers: Record<string, unknown> = {}, at = '/jobs/j1', session = admin) => {
  const asked = answer({ 'GET /v1/jobs/j1': job, ...answers });
  renderPage(<JobPage />, { at, pattern: '/jobs/:job', session });
  return asked;
};
const ours = (name: string) => screen.findByRole('button', { name });

test('the reason of the state is a sentence, beside the numbers that policies decide by', async () => {
  page(running);
  expect(await screen.findByText('Placed at yield 0.50.')).toBeVisible();
  expect(screen.getByText('0.6 of 1.2 cores')).toBeVisible();
  expect(screen.getByText('0.0444')).toBeVisible();
  expect(screen.getByText('2: 1 pausing, 1 running')).toBeVisible();
});

test('the terms of the page are explained when they are pointed at', async () => {
  page(running);
  for (const [term, help] of [['Flow time', flowHelp], ['Virtual time', virtualHelp], ['Priority', priorityHelp], ['Resident', /shared pages/i], ['Charged', /memory/i]] as const) {
    await userEvent.hover(await screen.findByText(term));
    expect((await screen.findAllByText(help)).length).toBeGreaterThan(0);
    await userEvent.unhover(screen.getByText(term));
  }
});

test('what failed leads to what tells why', async () => {
  const [first, ...others] = running.tasks!;
  page({ ...running, state: 'waiting', tasks: [{ ...first!, attempts: 2 }, ...others], why: { code: 'retry', text: '2 attempts failed; tries again in 4 s', values: [2, 4] } });
  expect(await screen.findByRole('link', { name: 'See its timeline for the reason' })).toHaveAttribute('href', '/jobs/j1?tab=timeline');
  cleanup();
  page({ ...running, state: 'failed' });
  expect(await screen.findByRole('link', { name: 'See its output' })).toHaveAttribute('href', '/jobs/j1?tab=output');
  cleanup();
  page(running);
  await screen.findByText('Placed at yield 0.50.');
  expect(screen.queryByRole('link', { name: /says why|it wrote/ })).toBeNull();
});

test('every task shows its node, its caps, its use and the move under way', async () => {
  page(running);
  const table = within(await screen.findByRole('table', { name: 'Tasks' }));
  expect(table.getByRole('link', { name: 'n2' })).toHaveAttribute('href', '/nodes/n2');
  expect(table.getByText('587m')).toBeVisible();
  expect(table.getByText('task 1 of j1 is paused on n2')).toBeVisible();
});

test('all that is told of a task is in sight in a window of 1280 pixels', async () => {
  const [task] = running.tasks!;
  page({ ...running, tasks: [{ ...task!, tier: 'background', failures: 1, losses: 2 }] });
  const table = await screen.findByRole('table', { name: 'Tasks' });
  expect(parseInt(table.style.minWidth)).toBeLessThanOrEqual(roomForTables);
  expect(within(table).getByText('background tier; failed once; lost 2 times')).toBeVisible();
});

const promise: Job['promise'] = { state: 'promised', from: '2026-01-01T12:00:00Z', until: '2026-01-01T14:00:00Z', due: '2026-01-01T11:59:00Z', nodes: ['n1'], indexes: [0] };

test('what is promised to a job is extended by half an hour', async () => {
  const asked = page({ ...running, promise }, { 'POST /v1/reservations/j1/extend': { revision: 30, job: 'j1' } });
  await userEvent.click(await ours('Extend by 30 min'));
  expect(await screen.findByText('What is promised to j1 ends half an hour later')).toBeVisible();
  expect(asked.find((it) => it.path.endsWith('/extend'))!.body).toEqual({ by: '30m' });
});

test('pausing holds the job and can be undone', async () => {
  const asked = page(running, { 'POST /v1/jobs/j1/hold': { revision: 8 }, 'POST /v1/jobs/j1/release': { revision: 9 } });
  await userEvent.click(await ours('Pause'));
  await userEvent.click(await ours('Resume'));
  await waitFor(() => expect(asked.at(-1)!.path).toBe('/v1/jobs/j1/release'));
  expect(asked.filter((it) => it.method === 'POST').map((it) => it.headers.get('aliquot-console'))).toEqual(['1', '1']);
});

test('pausing a job with a promise is not offered, and the reason is told', async () => {
  const asked = page({ ...running, promise });
  const pause = await ours('Pause');
  expect(pause).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(pause);
  expect(await screen.findByText('j1 has a promise, which would be lost: cancel it instead')).toBeVisible();
  await userEvent.click(pause);
  expect(asked.filter((it) => it.path.endsWith('/hold'))).toEqual([]);
});

test('a task that failed says so, and the others why they were stopped', async () => {
  const [task] = running.tasks!;
  const ended = { ...task!, state: 'ended' as const, move: undefined, target: undefined, exit: undefined };
  const failed = { ...running, state: 'failed' as const, ended: running.submitted, tasks: [
    { ...ended, index: 0, exit: { code: 0 } },
    { ...ended, index: 1, exit: { code: 1 }, failures: 1 },
    { ...ended, index: 2, exit: { signal: 'SIGTERM' } },
    { ...ended, index: 3, run: 0 },
  ] };
  page(failed);
  const table = await screen.findByRole('table', { name: 'Tasks' });
  const shown = () => [...table.querySelectorAll('tr[aria-rowindex]')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)).map((row) => [row[1], row.at(-1)]);
  expect(shown().filter(([state]) => state !== undefined)).toEqual([
    ['ended', 'exited with 0'], ['failed', 'exited with 1; failed once'],
    ['stopped', 'stopped because task 1 failed; killed by SIGTERM'], ['stopped', 'stopped because task 1 failed'],
  ]);
});

test.each(['cancelled', 'stopping'] as const)('the tasks of a cancelled job that is %s were stopped, also those that were lost', async (state) => {
  const [task] = running.tasks!;
  const ended = { ...task!, state: 'ended' as const, move: undefined, target: undefined, exit: undefined };
  page({ ...running, state, outcome: 'cancelled', ended: running.submitted, tasks: [
    { ...ended, index: 0, exit: { code: 0 } },
    { ...ended, index: 1, exit: { cause: 'node n1 is down' }, losses: 1 },
  ] });
  const table = await screen.findByRole('table', { name: 'Tasks' });
  const rows = [...table.querySelectorAll('tr[aria-rowindex]')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent));
  const shown = rows.map((cells) => [cells[1], cells.at(-1)]).filter(([state]) => state !== undefined);
  expect(shown[0]).toEqual(['ended', 'exited with 0']);
  expect(shown[1]![0]).toBe('stopped');
  expect(shown[1]![1]).toMatch(/^stopped because its job was cancelled; .*node n1 is down; lost once$/);
});

test('a job that does not run is held, not paused', async () => {
  for (const state of ['paused', 'waiting', 'dependent'] as const) {
    page({ ...running, state }, { 'POST /v1/jobs/j1/hold': { revision: 8 } });
    await userEvent.click(await ours('Hold'));
    expect(await screen.findByText('j1 is held: it does not run until it is released')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
    cleanup();
  }
});

test('the use of an ended job without values says why there are none', async () => {
  const none = { from: '2026-01-01T12:00:00Z', to: '2026-01-01T13:00:00Z', stepSeconds: 60, tasks: [], rows: [] };
  page({ ...running, state: 'succeeded', ended: '2026-01-01T13:00:00Z' }, { 'GET /v1/jobs/j1/usage': none }, '/jobs/j1?tab=use');
  expect(await screen.findByText('Nothing was measured, or it is not kept any more.')).toBeVisible();
  cleanup();
  page(running, { 'GET /v1/jobs/j1/usage': none }, '/jobs/j1?tab=use');
  expect(await screen.findByText(/^Nothing was measured yet/)).toBeVisible();
});

test('cancelling asks once, says what it will do, and can be left', async () => {
  const asked = page(running, { 'DELETE /v1/jobs/j1': { revision: 8 } });
  await userEvent.click(await ours('Cancel'));
  expect(await screen.findByText(/2 tasks are stopped and their work is lost/)).toBeVisible();
  await userEvent.click(await ours('Leave it'));
  expect(asked.some((it) => it.method === 'DELETE')).toBe(false);
  await userEvent.click(await ours('Cancel'));
  await userEvent.click(await ours('Cancel j1'));
  expect(await screen.findByText('j1 is being cancelled')).toBeVisible();
});

test('a doubtful outcome is tried again with the same key', async () => {
  const asked = page(running, { 'POST /v1/jobs/j1/hold': new Refusal(problem(504, 'outcome_unknown', 'no majority confirmed in time')) });
  await userEvent.click(await ours('Pause'));
  expect(await screen.findByText(/No majority confirmed in time. Help for outcome_unknown./)).toBeVisible();
  await userEvent.click(await ours('Pause'));
  await waitFor(() => expect(asked.filter((it) => it.method === 'POST')).toHaveLength(2));
  const keys = asked.filter((it) => it.method === 'POST').map((it) => it.headers.get('idempotency-key'));
  expect(keys[0]).toBe(keys[1]);
});

test('who may not steer a job is not offered to', async () => {
  page(running, {}, '/jobs/j1', { ...admin, role: 'user', owner: 'bob', project: 'other' });
  await screen.findByText('Placed at yield 0.50.');
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
});

test('a job whose command is hidden is not offered to be submitted again', async () => {
  const spec = 'Submit another like it';
  page(running, {}, '/jobs/j1?tab=spec', { ...admin, role: 'user', owner: 'bob', project: running.project });
  expect(await ours(spec)).toBeVisible();
  cleanup();
  page(running, {}, '/jobs/j1?tab=spec', { ...admin, role: 'user', owner: 'bob', project: 'another' });
  expect(await ours('Copy as JSON')).toBeVisible();
  expect(screen.queryByRole('button', { name: spec })).toBeNull();
});

test('a task that is placed says where it is to start or resume', async () => {
  const task = { ...running.tasks![0]!, node: undefined, move: undefined, target: 'n2' };
  page({ ...running, tasks: [{ ...task, index: 0, state: 'waiting' }, { ...task, index: 1, state: 'paused' }, { ...task, index: 2, node: 'n1', state: 'running' }] });
  for (const words of ['is to start on n2', 'is to resume on n2', 'is to move to n2']) expect(await screen.findByText(words)).toBeVisible();
});

test('tasks are sorted by what is charged for them, those that are nowhere last', async () => {
  const task = running.tasks![0]!;
  page({ ...running, tasks: [{ ...task, index: 0, node: undefined }, { ...task, index: 1, node: 'n1' }, { ...task, index: 2, node: undefined }] });
  const table = within(await screen.findByRole('table', { name: 'Tasks' }));
  const order = () => table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell')[0]!.textContent);
  expect(order()).toEqual(['0', '1', '2']);
  for (let i = 0; i < 2; i++) {
    await userEvent.click(table.getByRole('button', { name: /^Charged/ }));
    expect(order()).toEqual(['1', '0', '2']);
  }
});

test('what was used says of how many runs, and over how long, a value is the mean', async () => {
  const use = (runs: number, stepSeconds: number) => {
    const tasks = Array.from({ length: runs }, (_, task) => ({ task, run: 1, usedMillicores: [100], memoryBytes: [1 << 20] }));
    page(running, { 'GET /v1/jobs/j1/usage': { start: '2026-01-01T12:00:00Z', stepSeconds, rows: 1, tasks } }, '/jobs/j1?tab=use');
  };
  use(1, 60);
  expect(await screen.findByText(/^Each value is the mean of 1 measured run over 1 min\./)).toBeVisible();
  cleanup();
  use(2, 3600);
  expect(await screen.findByText(/^Each value is the mean of 2 measured runs over 1 h\./)).toBeVisible();
  cleanup();
  use(0, 60);
  expect(await screen.findByText(/^Nothing was measured yet/)).toBeVisible();
  expect(screen.queryByText(/mean of/)).toBeNull();
});

test('output is followed as text, whatever is in it', async () => {
  const log = new Response('\u001b[31mred\u001b[0m <script>alert(1)</script>\r\nnext \u0007\u202etxt.exe\n');
  page({ ...running, ended: '2026-01-01T13:00:00Z' }, { 'GET /v1/jobs/j1/logs': log }, '/jobs/j1?tab=output');
  await waitFor(() => expect(screen.getByRole('log').textContent).toBe('red <script>alert(1)</script>\nnext ··txt.exe\n'));
  expect(document.querySelector('pre script')).toBeNull();
  expect(screen.getByText('The output has ended.')).toBeVisible();
});

test('what an earlier run of a task wrote can be read', async () => {
  const again = { ...running, tasks: running.tasks!.map((task) => ({ ...task, run: 3 })) };
  const asked = page(again, { 'GET /v1/jobs/j1/logs': () => new Response('text\n') }, '/jobs/j1?tab=output');
  await waitFor(() => expect(screen.getByRole('log')).toHaveTextContent('text'));
  expect(asked.at(-1)!.query.get('run')).toBe('3');
  await userEvent.click(screen.getByRole('combobox', { name: 'Run' }));
  await userEvent.click(await screen.findByRole('option', { name: '2' }));
  await waitFor(() => expect(asked.some((it) => it.query.get('run') === '2')).toBe(true));
  expect(screen.getByRole('link', { name: 'Download' })).toHaveAttribute('href', expect.stringContaining('run=2'));
});

test('a task without output yet says so', async () => {
  page(running, { 'GET /v1/jobs/j1/logs': new Refusal(problem(404, 'no_logs', 'the run has no output')) }, '/jobs/j1?tab=output');
  expect(await screen.findByText(/There is no output yet/)).toBeVisible();
});

test('the timeline tells what happened and by whom', async () => {
  const events = [
    { id: '9.0', revision: 9, at: '2026-01-01T12:02:00Z', kind: 'task_migrated', job: 'j1', task: 0, from: 'n1', node: 'n2' },
    { id: '8.0', revision: 8, at: '2026-01-01T12:01:00Z', kind: 'job_held', job: 'j1', actor: 'alice', text: 'maintenance' },
  ];
  page(running, { 'GET /v1/history': { events } }, '/jobs/j1?tab=timeline');
  const told = (await screen.findAllByRole('listitem')).map((item) => item.textContent);
  expect(told[0]).toContain('task 0 of j1 moved from n1 to n2');
  expect(told[1]).toContain('j1 is held, by alice: maintenance');
});

test('a job that is no more is said in words', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  answer({ 'GET /v1/jobs/j9': new Refusal(problem(404, 'not_found', 'there is no job j9')) });
  renderPage(<JobPage />, { at: '/jobs/j9', pattern: '/jobs/:job' });
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no job j9.');
});

test('the progress of a background job is told from its measurement on', async () => {
  page({ ...running, progressRate: 0, progressSource: 'grant' }, {});
  expect(await screen.findByText(/^not measured yet: virtual time stands still until/)).toBeVisible();
  expect(screen.queryByText(/of full speed/)).toBeNull();
});

test('an ended job has a dash for what only a job in progress has', async () => {
  const tasks = running.tasks!.map((task) => ({ ...task, state: 'ended' as const, node: undefined, shareMillicores: 0, capAskedMillicores: 0, capObservedMillicores: 0 }));
  page({ ...running, state: 'succeeded', ended: '2026-01-01T13:00:00Z', yield: undefined, progressRate: undefined, tasks }, {});
  expect(await screen.findByRole('table')).toBeVisible();
  for (const words of ['0 cores', 'no placement', 'none']) expect(screen.queryByText(words)).toBeNull();
});

test('remarks tell failed moves in words, and the exit of the latest run only', async () => {
  const [first] = running.tasks!;
  const task = { ...first!, exit: { code: 7 } };
  page({ ...running, tasks: [{ ...task, attempts: 1 }, { ...task, index: 1, attempts: 3, trouble: 'start: no such image' }, { ...task, index: 2, state: 'waiting' }] });
  expect(await screen.findByText(/its last move failed/)).toBeInTheDocument();
  expect(screen.getByText(/its last 3 moves failed \(start: no such image\)/)).toBeInTheDocument();
  expect(screen.getAllByText(/exited with 7/)).toHaveLength(1);
});
