import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden, Refusal, type Asked } from '../../test/answers';
import { problem, renderPage } from '../../test/render';
import { JobsPage } from './JobsPage';

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

test('of ten thousand jobs only those in sight are drawn', async () => {
  answer({ 'GET /v1/jobs': { jobs: jobs(200), total: 10_000, next: 'j1' } });
  renderPage(<JobsPage />, { at: '/jobs' });
  await screen.findByRole('link', { name: 'j200 name-200' });
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  expect(screen.getByText(/10,000 jobs, 200 of them loaded/)).toBeVisible();
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

test('the order of a column is asked of the server, and continued by count', async () => {
  const asked = answer({
    'GET /v1/jobs': (it: Asked) => ({ jobs: [{ ...job, id: it.query.get('offset') ? 'j1' : 'j2' }], total: 2 }),
  });
  renderPage(<JobsPage />, { at: '/jobs?sort=-yield' });
  await waitFor(() => expect(screen.getAllByRole('link', { name: /^j\d/ }).map((link) => link.textContent)).toEqual(['j2', 'j1']));
  expect(asked.map((it) => [it.query.get('sort'), it.query.get('order'), it.query.get('offset')])).toEqual([['yield', 'desc', null], ['yield', 'desc', '1']]);
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
