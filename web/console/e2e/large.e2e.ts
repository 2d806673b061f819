import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';
import { settled, walk } from './harness/walk';
import { pagesOf } from './pages';

let browser: Browser;
let cluster: ModelledCluster;
const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(1000, 10_000)]);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('the console before a cluster of 1,000 nodes and 10,000 VMs', () => {
  test('the jobs are all reached by scrolling, and few are drawn at a time', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs');
    await visit.page.getByRole('table', { name: 'Jobs', exact: true }).waitFor();
    const rows = await scrollThrough(visit.page, 'Jobs');
    expect(rows.total).toBeGreaterThan(300);
    expect(rows.seen).toBe(rows.total);
    expect(rows.most).toBeLessThan(120);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a filter finds a job among them, and stays in the address', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs');
    const onlyNotebooks = () =>
      visit.page.waitForFunction(() => {
        const rows = [...document.querySelectorAll('table[aria-label="Jobs"] tbody tr[aria-rowindex]')];
        return rows.length > 0 && rows.every((row) => row.textContent!.includes('notebook'));
      });
    await visit.page.getByRole('textbox', { name: 'Search' }).fill('notebook');
    await onlyNotebooks();
    expect(visit.page.url()).toContain('notebook');
    await visit.page.reload();
    await onlyNotebooks();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the map shows every node', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/nodes');
    await settled(visit);
    await visit.page.getByRole('application', { name: 'Map of 1,000 nodes' }).waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('looking around, again and again, does not fill the memory', async () => {
    const visit = await Visit.begin(browser, cluster);
    const round = async () => {
      for (const address of ['/', '/nodes', '/jobs', '/jobs/j1', '/nodes/n0001', '/plan', '/events']) {
        await visit.page.evaluate((to) => {
          history.pushState(null, '', to);
          dispatchEvent(new PopStateEvent('popstate'));
        }, address);
        await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
        await settled(visit);
      }
      return visit.heap();
    };
    const first = await round();
    for (let i = 0; i < 3; i++) await round();
    const last = await round();
    console.log(`heap after the first round ${first.toFixed(1)} MiB, after the fifth ${last.toFixed(1)} MiB`);
    expect(last).toBeLessThan(150);
    expect(last - first).toBeLessThan(25);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the page stays fluid while it is scrolled', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs');
    await settled(visit);
    const frames = await framesWhileScrolling(visit.page, 'Jobs');
    console.log(`frames while scrolling: median ${frames.median.toFixed(1)} ms, 95 % within ${frames.p95.toFixed(1)} ms`);
    expect(frames.median).toBeLessThan(250); // far above what is measured: others may use this machine
    await visit.end();
  });

  test('what jobs are called and what they write is text and nothing else', async () => {
    const job = await cluster.submit({ cpu: '100m', memory: '64Mi', command: [hostile], args: [hostile], labels: { note: hostile }, name: 'x'.repeat(63) });
    await cluster.awaitJob(job, 'at its end', (j) => j.ended !== undefined);
    const visit = await Visit.begin(browser, cluster);
    for (const tab of ['output', 'spec', 'timeline', 'tasks']) {
      await visit.open(`/jobs/${job}?tab=${tab}`);
      await settled(visit);
      expect(await visit.page.title()).not.toBe('1');
      expect(await visit.page.locator('main img[src="x"], main script').count()).toBe(0);
    }
    await visit.open(`/jobs/${job}?tab=output`);
    await visit.page.getByRole('log').getByText(hostile.slice(0, 20)).first().waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a move that fails and a job that fails say so', async () => {
    const job = await cluster.submit({ name: 'doomed', cpu: '100m', memory: '64Mi', command: ['work', '0.1', '3'] });
    await cluster.awaitJob(job, 'at its end', (j) => j.ended !== undefined);
    const cannot = await cluster.submit({ name: 'cannot', cpu: '100m', memory: '64Mi', command: ['serve', '1'], env: { MODEL_FAULT: 'create' } });
    await cluster.awaitJob(cannot, 'refused by its node', (j) => (j.tasks?.[0]?.attempts ?? 0) > 0);
    const visit = await Visit.begin(browser, cluster);
    await visit.open(`/jobs/${job}`);
    await visit.page.getByText(/failed/i).first().waitFor();
    await visit.open(`/jobs/${cannot}?tab=timeline`);
    await visit.page.getByText(/this fault was asked for/).first().waitFor();
    await cluster.ask(`/v1/jobs/${cannot}`, { method: 'DELETE' });
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test.each(['light', 'dark'] as const)('every page is accessible and keeps to its policy, in %s', async (scheme) => {
    const { jobs } = await cluster.ask<Schemas['JobPage']>('/v1/jobs?state=running&limit=1');
    expect(await walk(browser, cluster, pagesOf(jobs[0]!.id, 'n0001'), scheme, 'large')).toEqual({});
  }, 180_000);
});

/** Scrolls a table to its end, whatever is loaded on the way, and counts rows. */
async function scrollThrough(page: Page, label: string): Promise<{ most: number; seen: number; total: number }> {
  return page.evaluate(async (name) => {
    const box = document.querySelector<HTMLElement>(`[role="region"][aria-label="${name}"]`)!;
    const table = box.querySelector('table')!;
    const seen = new Set<string>();
    let most = 0;
    for (let still = 0; still < 40; still++) {
      const rows = [...table.querySelectorAll('tbody tr[aria-rowindex]')];
      most = Math.max(most, rows.length);
      const before = seen.size;
      for (const row of rows) seen.add(row.getAttribute('aria-rowindex')!);
      if (seen.size > before) still = 0;
      box.scrollTop += box.clientHeight - 100;
      await new Promise((resume) => setTimeout(resume, 25));
    }
    return { most, seen: seen.size, total: Number(table.getAttribute('aria-rowcount')) - 1 };
  }, label);
}

/** Scrolls a table for a hundred frames and measures these, in milliseconds. */
async function framesWhileScrolling(page: Page, label: string): Promise<{ median: number; p95: number }> {
  return page.evaluate(async (name) => {
    const box = document.querySelector<HTMLElement>(`[role="region"][aria-label="${name}"]`)!;
    const deltas: number[] = [];
    let last = performance.now();
    for (let i = 0; i < 100; i++) {
      box.scrollTop += 60;
      const now = await new Promise<number>((resume) => requestAnimationFrame(resume));
      deltas.push(now - last);
      last = now;
    }
    deltas.sort((a, b) => a - b);
    return { median: deltas[50]!, p95: deltas[95]! };
  }, label);
}
