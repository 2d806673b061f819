import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import { ModelledCluster } from './harness/model';

let browser: Browser;
let cluster: ModelledCluster;

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(5, 40)]);
  await cluster.ask('/v1/quotas', { method: 'PUT', body: JSON.stringify({ owner: 'somebody', jobs: 100, tasks: 1000, cpu: '64', memory: '256Gi' }) });
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('what is looked at is in sight', () => {
  test.each([
    { path: '/jobs', table: 'Jobs', width: 1440, height: 900 },
    { path: '/nodes?view=table', table: 'Nodes', width: 1440, height: 900 },
    { path: '/about', table: 'Managers', width: 1440, height: 900 },
    { path: '/policy', table: 'Quotas', width: 1280, height: 800 },
  ])('all columns of the table $table in a window of $width pixels', async ({ path, table, width, height }) => {
    const visit = await Visit.begin(browser, cluster, { width, height });
    await visit.open(path);
    expect(await hidden(visit.page, table)).toBe(0);
    await visit.end();
  });

  test('25 jobs in a window of 1440 by 900 pixels', async () => {
    for (let i = 0; i < 30; i++) await cluster.post('/v1/jobs', { cpu: '100m', memory: '64Mi', command: ['sleep', '60'] });
    const visit = await Visit.begin(browser, cluster, { width: 1440, height: 900 });
    await visit.open('/jobs');
    const rows = visit.page.getByRole('table', { name: 'Jobs' }).locator('tbody tr:has(a)');
    await rows.nth(24).waitFor();
    const { y, height } = (await rows.nth(24).boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(900);
    await visit.end();
  });
});

/** Returns how many pixels of a table are outside of what surrounds it. */
async function hidden(page: Page, name: string): Promise<number> {
  const table = page.getByRole('table', { name });
  await table.waitFor();
  return table.evaluate((it) => {
    let most = 0;
    for (let around = it.parentElement; around; around = around.parentElement) most = Math.max(most, around.scrollWidth - around.clientWidth);
    return most;
  });
}
