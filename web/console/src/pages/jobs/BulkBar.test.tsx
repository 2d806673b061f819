import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden, Refusal, type Asked } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { JobsPage } from './JobsPage';

const job: Job = { ...golden<Job>('job_running.json'), state: 'running', held: false };
const jobs: Job[] = [{ ...job, id: 'j3' }, { ...job, id: 'j2', held: true, state: 'held' }, { ...job, id: 'j1' }];
const list = { jobs, total: 3 };
const accepted = { job: 'j1', revision: 9 };

const select = (id: string) => userEvent.click(screen.getByRole('checkbox', { name: `Select ${id}` }));
const begin = (verb: string) => userEvent.click(screen.getByRole('button', { name: `${verb}…` }));
const dialog = async () => within(await screen.findByRole('dialog'));
const done = (asked: Asked[]) => asked.filter((it) => it.method !== 'GET').map((it) => `${it.method} ${it.path}`);

test('selected jobs are shown before they are changed, and only those that the change concerns', async () => {
  const asked = answer({ 'GET /v1/jobs': list, 'POST /v1/jobs/j1/hold': accepted });
  renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j1 render' });
  await select('j1');
  await select('j2');
  expect(screen.getByText('2 jobs selected')).toBeVisible();
  await begin('Hold');
  const shown = await dialog();
  expect(await shown.findByText(/^1 selected job stays as it is: already held/)).toBeVisible();
  expect(shown.getAllByRole('row')).toHaveLength(2);
  expect(done(asked)).toEqual([]);
  await userEvent.click(shown.getByRole('button', { name: 'Hold 1 job' }));
  expect(await screen.findByText('1 of 1 job is held')).toBeVisible();
  expect(done(asked)).toEqual(['POST /v1/jobs/j1/hold']);
  expect(screen.queryByText(/selected$/)).toBeNull();
});

test('all that pass the filter can be selected, also those that are not loaded, except some', async () => {
  const all = Array.from({ length: 150 }, (_, i): Job => ({ ...job, id: `j${150 - i}` }));
  const asked = answer({
    'GET /v1/jobs': (it: Asked) => (it.query.get('limit') === '1000' ? (it.query.get('cursor') ? { jobs: all.slice(120), total: 150 } : { jobs: all.slice(0, 120), total: 150, next: 'j31' }) : { jobs: all.slice(0, 100), total: 150 }),
  });
  renderPage(<JobsPage />, { at: '/jobs?owner=ann' });
  await screen.findByRole('link', { name: 'j150 render' });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  await select('j149');
  expect(screen.getByText('149 jobs selected')).toBeVisible();
  await begin('Cancel');
  expect(await (await dialog()).findByText('…and 139 more.')).toBeVisible();
  expect(asked.filter((it) => it.query.get('limit') === '1000').map((it) => it.query.get('owner'))).toEqual(['ann', 'ann']);
});

test('held jobs whose VMs still stop are cancelled and released, and jobs that are being cancelled are not', async () => {
  const stops: Job[] = [{ ...job, id: 'j3', held: true, state: 'stopping' }, { ...job, id: 'j1', held: true, state: 'stopping', outcome: 'cancelled' }];
  answer({ 'GET /v1/jobs': { jobs: stops, total: 2 } });
  renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j1 render' });
  await select('j3');
  await select('j1');
  for (const verb of ['Cancel', 'Release']) {
    await begin(verb);
    const shown = await dialog();
    expect(await shown.findByRole('button', { name: `${verb} 1 job` })).toBeEnabled();
    expect(shown.getByText(/^1 selected job stays as it is: .*stopping, ended/)).toBeVisible();
    await userEvent.click(shown.getByRole('button', { name: 'Leave them' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

test('a job that is not changed keeps no other from it, and is named', async () => {
  const asked = answer({ 'GET /v1/jobs': list, 'DELETE /v1/jobs/j3': new Refusal(problem(409, 'conflict', 'it is over')), 'DELETE /v1/jobs/j1': accepted });
  renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j1 render' });
  await select('j3');
  await select('j1');
  await begin('Cancel');
  await userEvent.click(await (await dialog()).findByRole('button', { name: 'Cancel 2 jobs' }));
  expect(await screen.findByText('1 of 2 jobs are cancelled')).toBeVisible();
  expect(screen.getByText(/J3: it is over/i)).toBeVisible();
  expect(done(asked)).toEqual(['DELETE /v1/jobs/j3', 'DELETE /v1/jobs/j1']);
  const keys = asked.filter((it) => it.method === 'DELETE').map((it) => it.headers.get('Idempotency-Key'));
  expect(new Set(keys).size).toBe(2);
});

test('a user changes only own jobs', async () => {
  answer({ 'GET /v1/jobs': list });
  renderPage(<JobsPage />, { at: '/jobs', session: { ...admin, role: 'user', owner: 'somebody' } });
  await screen.findByRole('link', { name: 'j1 render' });
  await select('j1');
  await begin('Cancel');
  expect(await (await dialog()).findByText(/not yours to change/)).toBeVisible();
  expect((await dialog()).getByRole('button', { name: 'Cancel no jobs' })).toBeDisabled();
});

test('a viewer is offered no selection', async () => {
  answer({ 'GET /v1/jobs': list });
  renderPage(<JobsPage />, { at: '/jobs', session: { ...admin, role: 'viewer' } });
  await screen.findByRole('link', { name: 'j1 render' });
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('another filter begins with no selection', async () => {
  answer({ 'GET /v1/jobs': list });
  const { router } = renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j1 render' });
  await select('j1');
  await router.navigate('?search=x');
  await waitFor(() => expect(screen.queryByText('1 job selected')).toBeNull());
});
