import { cleanup, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Overview } from '../../api/overview';
import { answer, golden, Refusal } from '../../test/answers';
import { admin, problem, renderPage } from '../../test/render';
import { OverviewPage } from './OverviewPage';

const rest = {
  'GET /v1/history': { events: [] },
  'GET /v1/series': { start: '2026-01-01T12:00:00Z', stepSeconds: 60, rows: 0, yieldLeast: [] },
};
const overview = golden<Overview>('overview.json');

test('what needs attention comes first, with what to do', async () => {
  answer({ 'GET /v1/overview': overview, ...rest });
  renderPage(<OverviewPage />);
  const panel = within(await screen.findByRole('region', { name: 'Needs attention' }));
  expect(panel.getByText(/its 3 tasks need a node each, but only 2 nodes of the cluster could take one/)).toBeVisible();
  expect(panel.getByText(/Add nodes that are large enough/)).toBeVisible();
  expect(panel.getByRole('link', { name: 'Show j3' })).toHaveAttribute('href', '/jobs/j3');
});

test('jobs that wait or are paused are part of the headline, with a way to them', async () => {
  const waiting = { jobs: 500, without: 492, least: 0, mean: 0.016, counts: [492, 0, 0, 0, 0, 0, 0, 0, 0, 8], full: 8 };
  answer({ 'GET /v1/overview': { ...overview, yield: waiting }, ...rest });
  renderPage(<OverviewPage />);
  const panel = within(await screen.findByRole('region', { name: 'Yield now' }));
  expect(panel.getByText('500 standard jobs that may run')).toBeVisible();
  expect(panel.getByText('0.00')).toBeVisible();
  expect(panel.getByRole('link', { name: '492 without a share' })).toHaveAttribute('href', '/jobs?states=waiting,paused');
});

test('yields, demand, states and moves are numbers with units', async () => {
  answer({ 'GET /v1/overview': overview, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByRole('img', { name: 'Jobs by yield. 0, without a share: 1 job; 0.5 to below 0.6: 1 job; 0.9 to below 1.0: 1 job' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'CPU: 2.5 cores; needed 3.25 cores, granted 1.45 cores, used 480m' })).toBeVisible();
  expect(screen.getByText(/task 0 of j2 moves from n2 to n1 with 450m/)).toBeVisible();
  expect(screen.getByRole('link', { name: '1 cordoned' })).toBeVisible();
  expect(screen.queryByText(/^Capacity:/)).toBeNull();
});

test('jobs in the background may use what is not granted and what others leave, and only jobs that exist are told', async () => {
  const page = (background: Overview['background'], cpu: Partial<Overview['cpu']>) => {
    answer({ 'GET /v1/overview': { ...overview, background, cpu: { ...overview.cpu, ...cpu } }, ...rest });
    renderPage(<OverviewPage />);
  };
  page({ jobs: 4, background: 4, foreground: 0, without: 0 }, { bestEffortMillicores: 20, usedBackgroundMillicores: 643 });
  expect(await screen.findByText('4 jobs in the background may use up to 20m that are not granted, and what others leave of theirs; now 643m.')).toBeVisible();
  cleanup();
  page({ jobs: 3, background: 1, foreground: 2, without: 0 }, { bestEffortMillicores: 0, usedBackgroundMillicores: undefined });
  expect(await screen.findByText('1 job in the background may use what others leave of theirs. 2 jobs of class either in the foreground.')).toBeVisible();
  cleanup();
  page({ jobs: 1, background: 0, foreground: 0, without: 1 }, { bestEffortMillicores: 0, usedBackgroundMillicores: 0 });
  expect(await screen.findByText('1 job of class background or either without a place.')).toBeVisible();
});

test('VMs that still boot are counted beside the moves', async () => {
  answer({ 'GET /v1/overview': { ...overview, tasks: { booting: 4 }, moves: [], movesUnderWay: 0 }, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByText('4 VMs still boot.')).toBeVisible();
});

test('where nodes are lost, it is said that they are not part of the capacity', async () => {
  answer({ 'GET /v1/overview': { ...overview, nodes: { ready: 7, cordoned: 1, silent: 1, down: 1 } }, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByText('Capacity: 10 nodes, 2 of them lost and not counted.')).toBeVisible();
  cleanup();
  const held = { cpu: { ...overview.cpu, lostMillicores: 1500 }, memory: { ...overview.memory, lostBytes: 2 ** 30 } };
  answer({ 'GET /v1/overview': { ...overview, ...held, nodes: { ready: 7, silent: 1 } }, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByText('Capacity: 8 nodes, 1 of them lost and not counted, nor 1.5 cores granted and 1 GiB charged there.')).toBeVisible();
});

test('an empty cluster says what to do first', async () => {
  answer({ 'GET /v1/overview': { ...overview, jobs: {}, nodes: {}, tasks: {}, moves: [], movesUnderWay: 0, attention: [], yield: undefined }, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByRole('link', { name: 'Let a node join' })).toBeVisible();
  expect(screen.getByText('There is no standard job that may run.')).toBeVisible();
});

test('a job can be submitted from here, whatever there is already', async () => {
  answer({ 'GET /v1/overview': overview, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByRole('link', { name: 'Submit a job' })).toHaveAttribute('href', '/jobs/submit');
});

test('a server error is said in words', async () => {
  answer({ 'GET /v1/overview': new Refusal(problem(500, 'internal_bug', 'a bug was contained')), ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByRole('alert')).toHaveTextContent('A bug was contained.');
});

test('what the console can do itself is a link beside the command', async () => {
  const attention: Overview['attention'] = [
    { severity: 'notice', code: 'jobs_failed', text: '2 jobs failed in the last hour', help: 'List them: `aliquot job list --state failed`.' },
    { severity: 'warning', code: 'strays', node: 'n1', text: 'n1 has 1 VM that should not be there', help: 'Settle it: `aliquot node strays`.' },
  ];
  answer({ 'GET /v1/overview': { ...overview, attention, attentionMore: 0 }, ...rest });
  renderPage(<OverviewPage />);
  expect(await screen.findByRole('link', { name: 'List the failed jobs' })).toHaveAttribute('href', '/jobs?states=failed');
  expect(screen.getByRole('link', { name: 'Adopt or destroy them' })).toHaveAttribute('href', '/nodes/n1');
});

test('who may not submit is not told to', async () => {
  answer({ 'GET /v1/overview': { ...overview, jobs: {}, nodes: {}, tasks: {}, moves: [], movesUnderWay: 0, attention: [], yield: undefined }, ...rest });
  renderPage(<OverviewPage />, { session: { ...admin, role: 'viewer' } });
  expect(await screen.findByRole('link', { name: 'Let a node join' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Submit a job' })).toBeNull();
});
