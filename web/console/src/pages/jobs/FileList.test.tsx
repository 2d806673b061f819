import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../api/client';
import type { Results } from '../../api/results';
import { answer, golden, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { JobPage } from './JobPage';

const running = golden<Job>('job_running.json');
const leaving: Job = { ...running, spec: { ...running.spec, tasks: 1, outputs: ['results/'] } };
const page = (job: Job, files?: unknown) => {
  answer({ 'GET /v1/jobs/j1': job, 'GET /v1/jobs/j1/tasks/0/files': files });
  renderPage(<JobPage />, { at: '/jobs/j1?tab=files', pattern: '/jobs/:job', session: admin });
};

test('files that a task left are listed with their sizes, and each can be downloaded', async () => {
  page(leaving, golden<Results>('results.json'));
  const table = within(await screen.findByRole('table', { name: 'Files' }));
  expect(table.getByRole('link', { name: 'results/ü.html' })).toHaveAttribute('href', '/v1/jobs/j1/tasks/0/files/content?run=1&path=results%2F%C3%BC.html');
  expect(table.getByText('Not kept: it is larger than what limits.resultBytes leaves')).toBeVisible();
  expect(screen.getByText('3 files, 12 B.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Download all' })).toHaveAttribute('href', '/v1/jobs/j1/tasks/0/files/archive?run=1');
});

test('of a job that leaves nothing it says so', async () => {
  page(running);
  expect(await screen.findByText('The job names no files to keep.')).toBeVisible();
});

test('of a task without files it says so', async () => {
  page(leaving, new Refusal(problem(404, 'no_results', 'no files of the run are kept')));
  expect(await screen.findByText(/No files are kept of this task/)).toBeVisible();
});
