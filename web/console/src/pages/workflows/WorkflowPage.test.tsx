import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer } from '../../test/answers';
import { renderPage } from '../../test/render';
import { layout, parts } from './layout';
import { WorkflowPage } from './WorkflowPage';
import { WorkflowsPage } from './WorkflowsPage';

const step = (name: string, job: string, state: 'succeeded' | 'failed' | 'cancelled' | 'dependent', ...after: string[]) => ({ name, job, state, after, why: 'for a reason' });

const workflow = {
  id: 'w1', name: 'survey', owner: 'alice', project: 'default', state: 'running' as const, submitted: '2026-01-01T12:00:00Z',
  states: { succeeded: 1, failed: 1, dependent: 1 },
  tasks: [step('fetch', 'j1', 'succeeded'), step('clean', 'j2', 'failed', 'fetch'), step('report', 'j3', 'dependent', 'clean:ended', 'j9')],
};

test('workflows are listed with the states of their tasks', async () => {
  answer({ 'GET /v1/workflows': { workflows: [{ ...workflow, tasks: undefined }], total: 1 } });
  renderPage(<WorkflowsPage />, { at: '/workflows' });
  expect(await screen.findByRole('link', { name: 'w1 survey' })).toHaveAttribute('href', '/workflows/w1');
  expect(screen.getByText('1 of 3')).toBeVisible();
  expect(screen.getByText('1 dependent, 1 succeeded, 1 failed')).toBeVisible();
});

test('without workflows the page says how to submit one', async () => {
  answer({ 'GET /v1/workflows': { workflows: [], total: 0 } });
  renderPage(<WorkflowsPage />, { at: '/workflows' });
  expect(await screen.findByText(/aliquot workflow submit/)).toBeVisible();
});

test('a workflow is drawn, its tasks lead to their jobs, and it can be resumed', async () => {
  const calls = answer({ 'GET /v1/workflows/w1': workflow, 'POST /v1/workflows/w1/resume': { revision: 9, workflow: 'w1', jobs: { clean: 'j4' } } });
  renderPage(<WorkflowPage />, { at: '/workflows/w1', pattern: '/workflows/:workflow' });
  const graph = await screen.findByRole('group', { name: 'Graph of the tasks' });
  expect(within(graph).getByRole('link', { name: 'report dependent' })).toHaveAttribute('href', '/jobs/j3');
  expect(screen.getByText('clean:ended, j9')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
  expect(await screen.findByText(/1 task was submitted again/i)).toBeVisible();
  expect(calls.some((it) => it.method === 'POST' && it.path === '/v1/workflows/w1/resume')).toBe(true);
});

test('a graph of very many lines is not drawn', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `t${i}`);
  const tasks = names.map((name, i) => step(name, `j${i}`, 'dependent', ...names.slice(0, i)));
  answer({ 'GET /v1/workflows/w1': { ...workflow, tasks } });
  renderPage(<WorkflowPage />, { at: '/workflows/w1', pattern: '/workflows/:workflow' });
  expect(await screen.findByText(/too many lines/)).toBeVisible();
  expect(screen.queryByRole('group', { name: 'Graph of the tasks' })).toBeNull();
});

test('a task is drawn to the right of those that it waits for, and jobs outside are not drawn', () => {
  const { tasks, lines, width } = layout(workflow.tasks);
  const x = Object.fromEntries(tasks.map((it) => [it.step.name, it.x]));
  expect(x.fetch).toBeLessThan(x.clean!);
  expect(x.clean).toBeLessThan(x.report!);
  expect(width).toBeGreaterThan(x.report!);
  expect(lines.map((it) => [it.from, it.to, it.when])).toEqual([['fetch', 'clean', 'succeeded'], ['clean', 'report', 'ended']]);
  expect(parts('a:failed')).toEqual({ from: 'a', when: 'failed' });
});
