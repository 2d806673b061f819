import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';
import { settled } from './harness/walk';

let browser: Browser;
let cluster: ModelledCluster;
const jobs = 10_000;

// Two nodes take one job each. The other jobs wait.
beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(2, 0, '--policy', 'FCFS')]);
  for (let from = 0; from < jobs; from += 100) {
    const names = Array.from({ length: 100 }, (_, i) => `job-${String(from + i).padStart(5, '0')}`);
    await Promise.all(names.map((name) => cluster.submit({ name, cpu: '1', memory: '1Gi', command: ['serve', '50'] })));
  }
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('the console with 10,000 waiting jobs', () => {
  test('the table says how many there are, draws few, and goes on as it is scrolled', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/jobs');
    await settled(visit);
    const table = page.getByRole('table', { name: 'Jobs', exact: true });
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(jobs);
    await page.locator(`main a[href="/jobs/j${jobs}"]`).first().waitFor();
    const region = page.getByRole('region', { name: 'Jobs', exact: true });
    const seen = new Set<string>();
    while (seen.size < 1000) {
      const rows = await table.locator('tbody tr[aria-rowindex]').evaluateAll((all) => all.map((row) => row.getAttribute('aria-rowindex')!));
      rows.forEach((row) => seen.add(row));
      expect(rows.length).toBeLessThan(120);
      await region.evaluate((box) => {
        box.scrollTop += box.clientHeight - 100;
      });
    }
    expect(await visit.heap()).toBeLessThan(150);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('one of them is found by its name, and an order is the order of all', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/jobs?search=job-04711');
    const rows = page.getByRole('table', { name: 'Jobs', exact: true }).locator('tbody tr[aria-rowindex]');
    await page.waitForFunction(() => document.querySelectorAll('table[aria-label="Jobs"] tbody tr[aria-rowindex]').length === 1);
    expect(await rows.textContent()).toContain('job-04711');
    await visit.open('/jobs?sort=name&search=job-');
    await page.waitForFunction(() => document.querySelector('table[aria-label="Jobs"] tbody tr[aria-rowindex]')?.textContent?.includes('job-00000'));
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('those that a filter finds are selected at once, shown, and cancelled', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/jobs?search=job-081&states=active');
    await page.getByText('100 jobs', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 100 jobs?' });
    await dialog.getByText('…and 90 more.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel 100 jobs' }).click();
    await page.getByText('100 of 100 jobs are cancelled').waitFor();
    await page.getByText('No job matches').waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the overview counts them', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/');
    await settled(visit);
    const { jobs: states } = await cluster.ask<Schemas['Overview']>('/v1/overview');
    expect(states.waiting).toBeGreaterThan(jobs - 200);
    await visit.page.locator('main a[href="/jobs?states=waiting"]').first().waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });
});
