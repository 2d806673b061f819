import type { Page } from 'playwright-core';

/** A page of the console, and the actions after which it shows its content. */
export interface PageToVisit {
  name: string;
  path: string;
  prepare?: (page: Page) => Promise<void>;
}

/** All pages. Those of a job, a node and a simulation show existing ones. */
export function pagesOf(job: string, node: string, simulation = ''): PageToVisit[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'jobs', path: '/jobs' },
    { name: 'submit', path: '/jobs/submit' },
    { name: 'job', path: `/jobs/${job}` },
    { name: 'nodes', path: '/nodes' },
    { name: 'node', path: `/nodes/${node}` },
    { name: 'plan', path: '/plan' },
    { name: 'timeline', path: '/timeline' },
    { name: 'reservations', path: '/reservations' },
    { name: 'workflows', path: '/workflows' },
    { name: 'simulate', path: simulation ? `/simulate?id=${simulation}` : '/simulate' },
    { name: 'policy', path: '/policy' },
    { name: 'events', path: '/events' },
    { name: 'tokens', path: '/tokens' },
    { name: 'sessions', path: '/tokens?tab=sessions' },
    { name: 'audit', path: '/audit' },
    { name: 'images', path: '/images' },
    { name: 'about', path: '/about' },
  ];
}

/** Pages in use: a job being written, a job's page with all its parts, and a node about to be drained. */
export function closeUpsOf(job: string, node: string): PageToVisit[] {
  const tabs = ['yield', 'use', 'timeline', 'output', 'spec'].map((tab) => ({ name: `job-${tab}`, path: `/jobs/${job}?tab=${tab}` }));
  return [
    { name: 'submit-preview', path: '/jobs/submit', prepare: writeJob },
    { name: 'submit-yaml', path: '/jobs/submit?as=yaml', prepare: writeYaml },
    { name: 'jobs-selected', path: '/jobs', prepare: selectAll },
    ...tabs,
    { name: 'node-history', path: `/nodes/${node}?tab=history` },
    { name: 'drain', path: `/nodes/${node}`, prepare: openDrain },
    { name: 'timeline-jobs', path: '/timeline?rows=jobs' },
    { name: 'timeline-zoomed', path: '/timeline', prepare: zoomIn },
  ];
}

async function writeJob(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('render');
  await page.getByRole('textbox', { name: 'Command' }).fill('/usr/local/bin/render --frame $ALIQUOT_TASK_INDEX');
  await page.getByLabel('CPU need').fill('300m');
  await page.getByRole('textbox', { name: 'Memory' }).fill('96Mi');
  await page.getByText(/would (not )?start now/i).first().waitFor();
}

async function writeYaml(page: Page) {
  await page.getByLabel('Job as YAML').fill('name: render\ntasks: 2\ncpu: 300m\nmemory: 96Mi\ncommand: [/usr/local/bin/render]\n');
  await page.getByText(/would (not )?start now/i).first().waitFor();
}

async function selectAll(page: Page) {
  if (await page.getByRole('checkbox', { name: 'Select all' }).isVisible()) await page.getByRole('checkbox', { name: 'Select all' }).click();
}

async function openDrain(page: Page) {
  await page.getByRole('button', { name: 'Drain…' }).click();
  await page.getByRole('dialog').getByText(/least yield|Nothing would run/).first().waitFor();
}

async function zoomIn(page: Page) {
  await page.getByRole('region', { name: /^Timeline by node/ }).press('+');
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
}
