import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Plan } from '../../api/client';
import { answer, golden, Refusal, type Asked } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { PolicyPage } from './PolicyPage';
import { rowOf } from './row';

const plan = golden<Plan>('plan.json');
const policies = [
  { name: 'FCFS', family: 'backfill', about: 'whole nodes in the order of submission' },
  { name: 'GreedyPM *', family: 'dfrs', about: 'moves, or pauses, to make room' },
  { name: 'GreedyPM */per', family: 'dfrs', about: 'MCB8 maps all anew at every tick' },
] as const;
const rest = { 'GET /v1/policy': { name: 'GreedyPM */per/opt=min/minvt=600', period: '10m' }, 'GET /v1/policies': { policies }, 'GET /v1/quotas': { quotas: [] } };

test('the policy in force is explained, part by part', async () => {
  answer(rest);
  renderPage(<PolicyPage />, { at: '/policy' });
  expect(await screen.findByText('GreedyPM */per: MCB8 maps all anew at every tick')).toBeVisible();
  expect(screen.getByText(/minvt: a job that has run for less/)).toBeVisible();
  const table = within(screen.getByRole('table', { name: 'Policies' }));
  expect(table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent))).toEqual([
    ['FCFS', 'whole nodes or cores', 'whole nodes in the order of submission', 'Try'],
    ['GreedyPM *', 'fractions', 'moves, or pauses, to make room', 'Try'],
    ['GreedyPM */per', 'fractions', 'MCB8 maps all anew at every tick', 'in force'],
  ]);
});

test('a policy is chosen, shown what it would do, set, and can be set back', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/plan/apply': { revision: 17 }, 'PUT /v1/policy': { revision: 18 } });
  renderPage(<PolicyPage />, { at: '/policy' });
  await userEvent.click(await screen.findByRole('button', { name: 'Try FCFS' }));
  expect(await screen.findByText('Effect of setting it now:')).toBeVisible();
  expect(asked.findLast((it) => it.path === '/v1/plan')!.body).toEqual({ policy: { name: 'FCFS', period: '10m' } });
  const set = screen.getByRole('button', { name: 'Set it…' });
  await waitFor(() => expect(set).toBeEnabled());
  await userEvent.click(set);
  const dialog = within(await screen.findByRole('dialog', { name: 'Set the policy FCFS?' }));
  expect(dialog.getByText('FCFS: whole nodes in the order of submission')).toBeVisible();
  expect(asked.some((it) => it.path === '/v1/plan/apply')).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Set it' }));
  expect(await screen.findByText('The policy is FCFS')).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/plan/apply')!.body).toEqual({ basis: plan.basis, hypothesis: { policy: { name: 'FCFS', period: '10m' } } });
  await userEvent.click(screen.getByRole('button', { name: 'Set it back' }));
  await waitFor(() => expect(asked.find((it) => it.method === 'PUT')?.body).toEqual({ name: 'GreedyPM */per/opt=min/minvt=600', period: '10m' }));
  expect(await screen.findByText('The policy is GreedyPM */per/opt=min/minvt=600 again')).toBeVisible();
});

test('the jobs that would fail are listed one by one, up to a bound', async () => {
  const why = { code: 'too_few_nodes', text: 'its 3 tasks need a node each, but only 2 nodes of the cluster could take one', values: [2, 3] };
  answer({ ...rest, 'POST /v1/plan': { ...plan, refusals: Array.from({ length: 57 }, (_, i) => ({ job: `j${i + 1}`, why, later: i === 2 })), cancelled: Array.from({ length: 22 }, (_, i) => `j${i + 100}`) } });
  renderPage(<PolicyPage />, { at: '/policy' });
  await userEvent.click(await screen.findByRole('button', { name: 'Try FCFS' }));
  expect(await screen.findByText('Jobs that would fail, because they could never run:')).toBeVisible();
  expect(screen.getByRole('link', { name: 'j20' })).toHaveAttribute('href', '/jobs/j20');
  expect(screen.queryByRole('link', { name: 'j21' })).toBeNull();
  expect(screen.getByText('…and 37 more.')).toBeVisible();
  expect(screen.getByText(/, when its turn comes: its 3 tasks/)).toHaveTextContent('j3');
  expect(screen.getByText(/^Cancelled with them/)).toHaveTextContent(/^Cancelled with them, because they wait for them: j100, .*, j119 …and 2 more\.$/);
  expect(screen.getByRole('link', { name: 'j119' })).toHaveAttribute('href', '/jobs/j119');
  const set = screen.getByRole('button', { name: 'Set it…' });
  await waitFor(() => expect(set).toBeEnabled());
  await userEvent.click(set);
  expect(within(await screen.findByRole('dialog', { name: 'Set the policy FCFS?' })).getByText('…and 37 more.')).toBeVisible();
});

test('what is being chosen outlives a reload, until one starts over', async () => {
  answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<PolicyPage />, { at: '/policy' });
  await userEvent.click(await screen.findByRole('button', { name: 'Try FCFS' }));
  cleanup();
  renderPage(<PolicyPage />, { at: '/policy' });
  expect(await screen.findByRole('textbox', { name: 'Policy' })).toHaveValue('FCFS');
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(screen.getByRole('textbox', { name: 'Policy' })).toHaveValue('GreedyPM */per/opt=min/minvt=600');
});

test('a name that is none stands at its field and cannot be set', async () => {
  const refuse = (it: Asked) =>
    (it.body as { policy: { name: string } }).policy.name === 'FCSF' ? new Refusal(problem(422, 'invalid', 'did you mean "FCFS"?', { field: 'policy.name' })) : plan;
  answer({ ...rest, 'POST /v1/plan': refuse });
  renderPage(<PolicyPage />, { at: '/policy' });
  const field = await screen.findByRole('textbox', { name: 'Policy' });
  await userEvent.clear(field);
  await userEvent.type(field, 'FCSF');
  expect(await screen.findByText('did you mean "FCFS"?')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Set it…' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(field).toHaveValue('GreedyPM */per/opt=min/minvt=600');
});

test('an empty name is said at its field, and not asked about', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan });
  renderPage(<PolicyPage />, { at: '/policy' });
  await userEvent.clear(await screen.findByRole('textbox', { name: 'Policy' }));
  expect(screen.getByText('choose one of the policies below')).toBeVisible();
  await userEvent.type(screen.getByRole('textbox', { name: 'Policy' }), 'FCFS');
  expect(await screen.findByText('Effect of setting it now:')).toBeVisible();
  expect(asked.filter((it) => it.path === '/v1/plan').map((it) => it.body)).toEqual([{ policy: expect.objectContaining({ name: 'FCFS' }) }]);
});

test('a change that came too late is shown anew and not done', async () => {
  const asked = answer({ ...rest, 'POST /v1/plan': plan, 'POST /v1/plan/apply': new Refusal(problem(409, 'stale_basis', 'the cluster has changed since the plan')) });
  renderPage(<PolicyPage />, { at: '/policy' });
  await userEvent.click(await screen.findByRole('button', { name: 'Try FCFS' }));
  const set = await screen.findByRole('button', { name: 'Set it…' });
  await waitFor(() => expect(set).toBeEnabled());
  await userEvent.click(set);
  await userEvent.click(await screen.findByRole('button', { name: 'Set it' }));
  expect(await screen.findByText('Nothing was done. The cluster has changed since the plan. Above is its present effect: set it, or start over.')).toBeVisible();
  await waitFor(() => expect(asked.filter((it) => it.path === '/v1/plan').length).toBeGreaterThan(1));
});

test('who may not set it is told, and may look', async () => {
  answer(rest);
  renderPage(<PolicyPage />, { at: '/policy', session: { ...admin, role: 'operator' } });
  expect(await screen.findByText('Setting the policy needs the role admin.')).toBeVisible();
  expect(await screen.findByRole('table', { name: 'Policies' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Try/ })).toBeNull();
});

test('a name belongs to the longest row that it begins with', () => {
  const name = (full: string) => rowOf(full, [...policies])?.name;
  expect([name('GreedyPM */per/minvt=5'), name('GreedyPM */opt=avg'), name('GreedyPM *'), name('GreedyPM */periodic'), name('EASY')]).toEqual([
    'GreedyPM */per', 'GreedyPM *', 'GreedyPM *', 'GreedyPM *', undefined,
  ]);
});

const none = { jobs: 0, tasks: 0, cpuMillicores: 0, memoryBytes: 0, logBytes: 0, specBytes: 0 };

test('quotas show what is used of them, and no limit where there is none', async () => {
  const quotas = [
    { project: 'render', used: { ...none, jobs: 3, cpuMillicores: 1500 }, most: { ...none, jobs: 10, cpuMillicores: 64_000 } },
    { project: '*', used: none, most: { ...none, jobs: 100 } },
    { owner: 'alice', used: { ...none, jobs: 2, memoryBytes: 2 ** 30 }, most: none },
  ];
  answer({ ...rest, 'GET /v1/quotas': { quotas } });
  renderPage(<PolicyPage />, { at: '/policy' });
  const table = within(await screen.findByRole('table', { name: 'Quotas' }));
  const rows = table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent));
  expect(rows.map((row) => [row[0], row[1], row[3], row[4]])).toEqual([
    ['project render', '3 of 10', '1.5 of 64 cores', '0 B'],
    ['each other project', 'at most 100', 'no limit', 'no limit'],
    ['owner alice', '2', '0 cores', '1 GiB'],
  ]);
});
