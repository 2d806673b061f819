import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Plan } from '../../api/client';
import { answer, golden } from '../../test/answers';
import { admin, renderPage } from '../../test/render';
import { PlanPage } from './PlanPage';

const plan = golden<Plan>('plan.json');

test('a plan shows its moves with their reasons, and gain against cost', async () => {
  answer({ 'POST /v1/plan': plan });
  renderPage(<PlanPage />, { at: '/plan' });
  expect(await screen.findByText('task 0 of j1 moves from n1 to n2 with 0.4 cores')).toBeVisible();
  expect(screen.getAllByText('placed at yield 0.80')[0]).toBeVisible();
  expect(screen.getByText('80 MiB')).toBeVisible();
  expect(screen.getAllByText('1.00 → 0.80')).toHaveLength(2);
});

test('applying does what was announced', async () => {
  const asked = answer({ 'POST /v1/plan': plan, 'POST /v1/plan/apply': { revision: 17 } });
  renderPage(<PlanPage />, { at: '/plan' });
  await userEvent.click(await screen.findByRole('button', { name: 'Apply now' }));
  expect(await screen.findByText('The plan is being carried out')).toBeVisible();
  expect(asked.find((it) => it.path === '/v1/plan/apply')!.body).toEqual({ basis: 16, hypothesis: {} });
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
