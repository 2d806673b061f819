import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Event, Plan } from '../../api/client';
import { answer, golden, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { PlanPage } from './PlanPage';

let happens: (event: Partial<Event>) => void;
vi.mock('../../live/LiveProvider', () => ({ useEvents: (listener: typeof happens) => void (happens = listener) }));

const plan = golden<Plan>('plan.json');

test('a plan shows its moves with their reasons, and gain against cost', async () => {
  answer({ 'POST /v1/plan': plan });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('task 0 of j1 moves from n1 to n2 with 400m')).toBeVisible();
  expect(screen.getAllByText('placed at yield 0.80')[0]).toBeVisible();
  expect(screen.getByText('The plan takes 1 migration; 80 MiB of memory would be saved, restored or sent to another node.')).toBeVisible();
  expect(screen.getByText('1.00 → 0.80')).toBeVisible();
});

test('a job that would be in the background is listed without a yield', async () => {
  const jobs: Plan['jobs'] = [{ job: 'j2', yieldBefore: 0.5, nodesBefore: ['n1'], nodesAfter: ['n1'], tierBefore: 'foreground', tierAfter: 'background' }];
  answer({ 'POST /v1/plan': { ...plan, jobs } });
  renderPage(<PlanPage />, { at: '/plan' });
  const table = await screen.findByRole('table', { name: 'Jobs, before and after' });
  const row = [...table.querySelectorAll('tr[aria-rowindex] td')].map((cell) => cell.textContent);
  expect(row.slice(0, 3)).toEqual(['j2', '0.50', 'background']);
});

test.each([
  ['that breaks no promise', []],
  ['that breaks one, which only a drain needs force for', [{ job: 'j88', owner: 'alice', from: '2026-01-01T12:00:00Z', until: '2026-01-01T13:00:00Z' }]],
])('applying a plan %s does what was announced', async (_, broken) => {
  const asked = answer({ 'POST /v1/plan': { ...plan, broken }, 'POST /v1/plan/apply': { revision: 17 } });
  renderPage(<PlanPage />, { at: '/plan' });
  await userEvent.click(await screen.findByRole('button', { name: 'Apply now' }));
  expect(await screen.findByText('The plan is being carried out')).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/plan/apply')!.body).toEqual({ basis: 16, hypothesis: {} });
});

test('a plan whose outcome is not known is applied once, however often that is tried', async () => {
  const outcomes = [new Refusal(problem(504, 'outcome_unknown', 'no majority confirmed in time')), { revision: 17, repeated: true }];
  const asked = answer({ 'POST /v1/plan': plan, 'POST /v1/plan/apply': () => outcomes.shift() });
  renderPage(<PlanPage />, { at: '/plan' });
  await userEvent.click(await screen.findByRole('button', { name: 'Apply now' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('It may have succeeded; you can safely repeat it');
  await userEvent.click(screen.getByRole('button', { name: 'Apply now' }));
  expect(await screen.findByText('The plan is being carried out')).toBeVisible();
  const keys = asked.filter((it) => it.path === '/v1/plan/apply').map((it) => it.headers.get('idempotency-key'));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('a plan that the manager has forgotten is not done, and one of which nobody knows is not called so', async () => {
  const forgotten = new Refusal(problem(409, 'stale_basis', 'this manager has no such recent plan for revision 16: request the plan again'));
  const outcomes = [forgotten, new Refusal(problem(504, 'outcome_unknown', 'no majority confirmed in time')), forgotten];
  answer({ 'POST /v1/plan': plan, 'POST /v1/plan/apply': () => outcomes.shift() });
  renderPage(<PlanPage />, { at: '/plan' });
  const apply = async () => userEvent.click(await screen.findByRole('button', { name: 'Apply now' }));
  await apply();
  const told = 'This manager has no such recent plan for revision 16. Below is the present plan: apply it, or discard it.';
  expect(await screen.findByText(`Nothing was done. ${told}`)).toBeVisible();
  await apply();
  expect(await screen.findByRole('alert')).toHaveTextContent('It may have succeeded');
  await apply();
  expect(await screen.findByText(`The first attempt may have succeeded: check the present state. This one was refused. ${told}`)).toBeVisible();
});

test('discarding changes nothing', async () => {
  const asked = answer({ 'POST /v1/plan': plan });
  renderPage(<PlanPage />, { at: '/plan' });
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.getByText('The plan is discarded')).toBeVisible());
  expect(asked.map((it) => it.path)).toEqual(['/v1/plan']);
});

test('a plan without gain says so', async () => {
  answer({ 'POST /v1/plan': { ...plan, moves: [], jobs: [], blocked: [] } });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('No beneficial move')).toBeVisible();
});

test('a viewer is told that planning needs another role', async () => {
  answer({});
  renderPage(<PlanPage />, { at: '/plan', session: { ...admin, role: 'viewer' } });
  expect(screen.getByText('Planning needs the role user')).toBeVisible();
});

test('the yield stands beside its bound, and what moving gains beside what it costs', async () => {
  answer({ 'POST /v1/plan': plan });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('1.00 → 0.80, of at most 0.90')).toBeVisible();
  expect(screen.getByText('gains 1 min 30 s, costs 2 s')).toBeVisible();
});

test('a revision is written as the identifier that it is', async () => {
  answer({ 'POST /v1/plan': { ...plan, basis: 1204 } });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('Made for revision 1204')).toBeVisible();
  cleanup();
  answer({ 'POST /v1/plan': { ...plan, basis: 1204, jobs: [], moves: [] } });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText(/at revision 1204\b/)).toBeVisible();
});

test('a plan that the cluster has overtaken says so beside what would apply it', async () => {
  answer({ 'POST /v1/plan': plan });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('Made for revision 16')).toBeVisible();
  act(() => happens({ revision: 16 }));
  expect(screen.queryByText(/plan again$/)).toBeNull();
  act(() => happens({ revision: 17 }));
  expect(screen.getByText('Made for revision 16; the cluster has changed since: plan again')).toBeVisible();
});
