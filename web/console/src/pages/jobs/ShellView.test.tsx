import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../api/client';
import { answer, golden } from '../../test/answers';
import { admin, renderPage } from '../../test/render';
import { JobPage } from './JobPage';

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
