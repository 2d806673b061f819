import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';
import { until } from './harness/processes';

let browser: Browser;
let cluster: ModelledCluster;

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(2, 4)]);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('the console by keyboard alone', () => {
  test('a job is found, opened and paused, and the notice takes that back', async () => {
    const job = await cluster.submit({ name: 'keyed', cpu: '50m', memory: '64Mi', command: ['serve', '50'] });
    await cluster.awaitJob(job, 'running', (it) => it.state === 'running');
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/jobs');
    await page.locator(`main a[href="/jobs/${job}"]`).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo(page, job);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /keyed/ }).waitFor();
    await tabTo(page, 'Pause');
    await page.keyboard.press('Enter');
    await page.getByText(`${job} is held`, { exact: false }).waitFor();
    await cluster.awaitJob(job, 'held', (it) => it.held);
    await page.keyboard.press('F8');
    await tabTo(page, 'Resume');
    await page.keyboard.press('Enter');
    await cluster.awaitJob(job, 'released', (it) => !it.held);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('what asks before it is done is answered, and left, by keys', async () => {
    const job = await cluster.submit({ name: 'spared', cpu: '50m', memory: '64Mi', command: ['serve', '50'] });
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open(`/jobs/${job}`);
    const dialog = page.getByRole('dialog', { name: `Cancel ${job}?` });
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await cluster.job(job)).ended).toBeUndefined();
    await tabTo(page, 'Cancel');
    await page.keyboard.press('Enter');
    await tabTo(page, `Cancel ${job}`);
    await page.keyboard.press('Enter');
    await cluster.awaitJob(job, 'cancelled', (it) => it.state === 'cancelled');
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a node is found, drained after a look at what would happen, and the notice takes that back', async () => {
    const [{ name }, other] = (await cluster.ask<Schemas['NodeList']>('/v1/nodes')).nodes as [Schemas['Node'], Schemas['Node']];
    const draining = async () => (await cluster.ask<Schemas['Node']>(`/v1/nodes/${name}`)).draining;
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/nodes');
    await page.getByRole('article').nth(1).waitFor();
    await tabTo(page, 'Find');
    await page.keyboard.type(name);
    await page.locator(`main a[href="/nodes/${other.name}"]`).waitFor({ state: 'detached' });
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await tabTo(page, 'Drain…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Drain ${name}?` }).getByText(/least yield|Nothing would run/).first().waitFor();
    await tabTo(page, `Drain ${name}`);
    await page.keyboard.press('Enter');
    await page.getByText(`${name} is draining`).waitFor();
    await until(`${name} is draining`, 30_000, draining);
    await page.keyboard.press('F8');
    await tabTo(page, 'Undo: uncordon');
    await page.keyboard.press('Enter');
    await until(`${name} takes VMs again`, 30_000, async () => !(await draining()));
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });
});

/** Returns the name of the focused element: the label of a field, or the text of another element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return ((element instanceof HTMLInputElement && element.labels?.[0]?.textContent) || element?.textContent || '').trim();
  });

/** Presses Tab until the element of that name has the focus, which it may have already. */
async function tabTo(page: Page, name: string) {
  for (let i = 0; i < 60; i++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`60 Tabs do not lead to ${name}`);
}
