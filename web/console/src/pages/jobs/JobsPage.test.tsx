import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden, Refusal, type Asked } from '../../test/answers';
import { admin, narrowed, problem, renderPage } from '../../test/render';
import { JobsPage } from './JobsPage';
import { spread } from './useJobRows';

const job = golden<Job>('job_running.json');
const jobs = (count: number): Job[] => Array.from({ length: count }, (_, i) => ({ ...job, id: `j${count - i}`, name: `name-${count - i}` }));

test('a job is shown with its state, its yield and the reason', async () => {
  answer({ 'GET /v1/jobs': { jobs: [job], total: 1 } });
  renderPage(<JobsPage />, { at: '/jobs' });
  const row = within((await screen.findByRole('link', { name: 'j1 render' })).closest('tr')!);
  expect(row.getByText('pausing')).toBeVisible();
  expect(row.getByText('0.50')).toBeVisible();
  expect(row.getByText('placed at yield 0.50')).toBeVisible();
  expect(row.getByText('1.2 cores')).toBeVisible();
});

test('of ten thousand jobs only those in sight are drawn, asked for, and asked for again', async () => {
  const asked = answer({ 'GET /v1/jobs': { jobs: jobs(200).slice(0, 100), total: 10_000 } });
  const { client } = renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j200 name-200' });
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  expect(screen.getByText('10,000 jobs')).toBeVisible();
  await client.invalidateQueries({ queryKey: ['jobs'] });
  expect(asked.map((it) => it.query.get('offset'))).toEqual([null, null]);
});

test('the pages in sight are put at their places, a job that moved on only once', () => {
  const [a, b, c] = jobs(3) as [Job, Job, Job];
  const rows = spread(202, [[1, [a, b]], [2, [b, c]]]);
  expect(rows.length).toBe(202);
  expect([rows[99], rows[100], rows[101], rows[102], rows[200], rows[201]].map((it) => it?.id)).toEqual([undefined, a.id, b.id, undefined, undefined, c.id]);
});

test('the filter in the address is what is asked for', async () => {
  const asked = answer({ 'GET /v1/jobs': { jobs: [], total: 0 } });
  renderPage(<JobsPage />, { at: '/jobs?search=ren&states=running,paused,nonsense' });
  expect(await screen.findByText('No job matches')).toBeVisible();
  expect(asked[0]!.query.get('search')).toBe('ren');
  expect(asked[0]!.query.get('state')).toBe('running,paused');
});

test('typing a word changes the address', async () => {
  answer({ 'GET /v1/jobs': { jobs: [job], total: 1 } });
  const { router } = renderPage(<JobsPage />, { at: '/jobs' });
  await userEvent.type(screen.getByLabelText('Search'), 'abc');
  await waitFor(() => expect(router.state.location.search).toBe('?search=abc'));
});

test('the order of a column is asked of the server, and the table stays meanwhile', async () => {
  const asked = answer({ 'GET /v1/jobs': (it: Asked) => ({ jobs: [{ ...job, id: it.query.get('sort') ? 'j1' : 'j2' }], total: 1 }) });
  renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j2 render' });
  await userEvent.click(screen.getByRole('button', { name: 'Yield' }));
  expect(await screen.findByRole('link', { name: 'j1 render' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Yield/ })).toHaveFocus();
  expect([asked.at(-1)!.query.get('sort'), asked.at(-1)!.query.get('order')]).toEqual(['yield', 'desc']);
});

test('an order that there is not is passed over', async () => {
  const asked = answer({ 'GET /v1/jobs': { jobs: [job], total: 1 } });
  renderPage(<JobsPage />, { at: '/jobs?sort=-nonsense' });
  await screen.findByRole('table', { name: 'Jobs' });
  expect(asked.map((it) => [it.query.get('sort'), it.query.get('order')])).toEqual([[null, null]]);
});

test('a cluster without jobs says what to do next', async () => {
  answer({ 'GET /v1/jobs': { jobs: [], total: 0 } });
  renderPage(<JobsPage />, { at: '/jobs' });
  expect(await screen.findByText('There are no jobs yet')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'Submit a job' })[0]).toHaveAttribute('href', '/jobs/submit');
});

test('a problem is shown in words, with what to do', async () => {
  answer({ 'GET /v1/jobs': new Refusal(problem(503, 'no_leader', 'no manager leads now')) });
  renderPage(<JobsPage />, { at: '/jobs' });
  expect(await screen.findByRole('alert')).toHaveTextContent(/No manager leads now.Help for no_leader./);
});

test('hostile names are text', async () => {
  answer({ 'GET /v1/jobs': { jobs: [{ ...job, name: '<img src=x onerror=alert(1)>' }], total: 1 } });
  renderPage(<JobsPage />, { at: '/jobs' });
  expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeVisible();
  expect(document.querySelector('td img')).toBeNull();
});

test('a viewer is not offered to submit', async () => {
  answer({ 'GET /v1/jobs': { jobs: [], total: 0 } });
  renderPage(<JobsPage />, { at: '/jobs', session: { ...admin, role: 'viewer' } });
  expect(await screen.findByText('There are no jobs yet')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Submit a job' })).toBeNull();
});

test('on a phone yield, or else the state, and reason come first, and a filter in force is seen', async () => {
  narrowed();
  const succeeded: Job = { ...job, id: 'j2', name: 'over', state: 'succeeded', yield: undefined };
  answer({ 'GET /v1/jobs': { jobs: [{ ...job, state: 'running' }, succeeded], total: 2 } });
  renderPage(<JobsPage />, { at: '/jobs?owner=ann' });
  await screen.findByRole('link', { name: 'j1 render' });
  expect(screen.getAllByRole('columnheader').slice(0, 3).map((head) => head.textContent)).toEqual(['Job', 'Yield, state', 'Reason']);
  const second = (job: string) => screen.getByRole('link', { name: job }).closest('tr')!.cells[1];
  expect(second('j1 render')).toHaveTextContent('0.50');
  expect(second('j2 over')).toHaveTextContent('succeeded');
  expect(screen.getByLabelText('Owner').closest('.mantine-visible-from-xs')).toBeNull();
  expect(screen.getByLabelText('Project').closest('.mantine-visible-from-xs')).not.toBeNull();
});
