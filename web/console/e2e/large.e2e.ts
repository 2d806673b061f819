import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';
import { bustle, wanted } from './harness/pictures';
import { until } from './harness/processes';
import { settled, walk } from './harness/walk';
import { closeUpsOf, pagesOf } from './pages';

let browser: Browser;
let cluster: ModelledCluster;

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

  test('the timeline shows what runs now, up to its right edge', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/timeline');
    await settled(visit);
    const box = (await visit.page.getByRole('region', { name: /^Timeline by node/ }).locator('canvas').boundingBox())!;
    const told = visit.page.getByText(/^Point at a bar|^j\d+, task/);
    const reaching = new Set<string>();
    for (let y = 3; y < 20 * 26; y += 5) {
      await visit.page.mouse.move(box.x + box.width - 3, box.y + y);
      await visit.page.evaluate(() => new Promise(requestAnimationFrame));
      const node = /on (n\d+) with .* until now/.exec((await told.textContent())!)?.[1];
      if (node) reaching.add(node);
    }
    expect(reaching.size).toBeGreaterThan(10); // some sixteen rows are in sight, and some nodes may be empty
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the timeline is zoomed by the wheel, shows the same after a reload, and has a way back', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    const told = async () => /^.* to .* UTC(?=: )/.exec((await page.getByRole('status').filter({ hasText: / spans?\./ }).textContent())!)![0];
    const back = page.getByRole('button', { name: 'Reset zoom' });
    await visit.open('/timeline');
    await settled(visit);
    expect(await back.count()).toBe(0);
    await page.getByRole('region', { name: /^Timeline by node/ }).locator('canvas').hover();
    await page.keyboard.down('Control');
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await page.waitForURL(/from=/);
    const { searchParams } = new URL(page.url());
    const [from, to] = ['from', 'to'].map((name) => searchParams.get(name)!.replace('T', ' ').replace(/\..*/, ' UTC'));
    await page.reload();
    await settled(visit);
    expect(await told()).toBe(`${from} to ${to}`);
    await back.click();
    await page.waitForURL((url) => url.search === '');
    await back.waitFor({ state: 'detached' });
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the moments on the axis of the timeline are whole and apart, whatever is shown', async () => {
    const visit = await Visit.begin(browser, cluster);
    const now = Date.now();
    for (const [seconds, offset] of [[120, 0], [120, 7], [3600, 0], [3600, 1500], [86_400, 40_000], [2_600_000, 0]] as const) {
      const [from, to] = [now - (seconds + offset) * 1000, now - offset * 1000].map((at) => new Date(at).toISOString());
      await visit.open(`/timeline?from=${from}&to=${to}`);
      await settled(visit);
      await expect.poll(() => crowdedMarks(visit.page), { timeout: 10_000 }).toEqual([]); // the axis is laid out once its width is known
    }
    await visit.end();
  });

  test('a plan of 10,000 moves is read wholly, and few of them are drawn at a time', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.page.route('**/v1/plan', (route) => route.fulfill({ json: manyMoves(10_000) }));
    await visit.open('/plan');
    await visit.page.getByRole('table', { name: 'Moves' }).waitFor();
    const places = await jumpThrough(visit.page, 'Moves', 40);
    expect(places.total).toBe(10_000);
    expect(places.blank).toEqual([]);
    expect(places.most).toBeLessThan(60);
    const cells = await visit.page.getByRole('table', { name: 'Moves' }).getByRole('cell').evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
    expect(cells).toEqual([]);
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

  test('a table of more than 10,000 rows is scrolled anywhere, and few rows are drawn at a time', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/timeline?view=table');
    await visit.page.getByRole('table', { name: 'Spans' }).waitFor();
    await settled(visit);
    const places = await jumpThrough(visit.page, 'Spans', 40);
    expect(places.total).toBeGreaterThan(10_000);
    expect(places.blank).toEqual([]);
    expect(places.most).toBeLessThan(120);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('every page is accessible and keeps to its policy, in light and dark', async () => {
    const { jobs } = await cluster.ask<Schemas['JobPage']>('/v1/jobs?state=running&limit=1');
    await bustle(cluster, 6, arrivals);
    if (wanted) await until('what is used has settled after the fill', 180_000, usesWhatItIsGranted);
    const pages = [...pagesOf(jobs[0]!.id, 'n0001'), ...closeUpsOf(jobs[0]!.id, 'n0001')];
    expect(await walk(browser, cluster, pages, 'large', ['light', 'dark'])).toEqual({});
  }, 1_800_000);
});

const arrivals = [3, 40, 1, 400, 12, 120].map((tasks, i) => ({ name: ['render', 'sweep', 'notebook', 'assembly', 'fit', 'training'][i]!, tasks, cpu: `${500 * (1 + (i % 3))}m`, memory: '1Gi', command: ['serve', '40'] }));

async function usesWhatItIsGranted(): Promise<boolean> {
  const { cpu } = await cluster.ask<Schemas['Overview']>('/v1/overview');
  return cpu.usedMillicores !== undefined && cpu.usedMillicores <= 1.01 * cpu.shareMillicores;
}

/** Scrolls a table to its end while rows are loaded, and counts the rows. */
async function scrollThrough(page: Page, label: string): Promise<{ most: number; seen: number; total: number }> {
  return page.evaluate(async (name) => {
    const box = document.querySelector<HTMLElement>(`[role="region"][aria-label="${name}"]`)!;
    const table = box.querySelector('table')!;
    const seen = new Set<string>();
    let most = 0;
    const total = () => Number(table.getAttribute('aria-rowcount')) - 1;
    for (let still = 0; still < 400 && (seen.size < total() || still < 4); still++) {
      const rows = [...table.querySelectorAll('tbody tr[aria-rowindex]:not([aria-busy])')];
      most = Math.max(most, rows.length);
      const before = seen.size;
      for (const row of rows) seen.add(row.getAttribute('aria-rowindex')!);
      if (seen.size > before) still = 0;
      const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
      box.scrollTop = end && still > 40 ? 0 : box.scrollTop + box.clientHeight - 100; // start over, for rows that were drawn too late to be seen
      await new Promise((resume) => setTimeout(resume, 25));
    }
    return { most, seen: seen.size, total: total() };
  }, label);
}

/** Jumps to positions all over a table. It returns the positions at which the row was not drawn within some frames. */
async function jumpThrough(page: Page, label: string, jumps: number): Promise<{ most: number; total: number; blank: number[] }> {
  return page.evaluate(
    async ([name, count]) => {
      const box = document.querySelector<HTMLElement>(`[role="region"][aria-label="${name}"]`)!;
      const table = box.querySelector('table')!;
      const total = Number(table.getAttribute('aria-rowcount')) - 1;
      const blank: number[] = [];
      let most = 0;
      for (let i = 0; i <= count; i++) {
        box.scrollTop = ((box.scrollHeight - box.clientHeight) * i) / count;
        let middle = false;
        for (let frame = 0; frame < 60 && !middle; frame++) {
          await new Promise((resume) => requestAnimationFrame(resume));
          const { top, bottom } = box.getBoundingClientRect();
          const rows = [...table.querySelectorAll('tbody tr[aria-rowindex]')];
          most = Math.max(most, rows.length);
          middle = rows.some((row) => row.getBoundingClientRect().top <= (top + bottom) / 2 && row.getBoundingClientRect().bottom >= (top + bottom) / 2);
        }
        if (!middle) blank.push(i);
      }
      return { most, total, blank };
    },
    [label, jumps] as const,
  );
}

/** Lists marks of the timeline's axis that overlap the end of the axis or the next mark. */
function crowdedMarks(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: /^Timeline by node/ }).evaluate((region) => {
    const axis = region.previousElementSibling!;
    const { left, right } = axis.getBoundingClientRect();
    const boxes = [...axis.children].map((mark) => ({ text: mark.textContent, box: mark.getBoundingClientRect() }));
    if (boxes.length === 0) return ['there is none'];
    return boxes.filter(({ box }, i) => box.left < left - 1 || box.right > (boxes[i + 1]?.box.left ?? right) + 1).map(({ text }) => text);
  });
}

/** Returns a plan of resizes and migrations with long reasons. */
function manyMoves(count: number): Schemas['Plan'] {
  const moves = Array.from({ length: count }, (_, i): Schemas['Move'] => ({ kind: i % 3 ? 'resize' : 'migrate', job: `j${i % 500}`, task: i, from: 'n0001', to: `n${i}`, shareMillicores: 400, after: i % 7 ? [] : [i, i + 1] }));
  const jobs = Array.from({ length: 500 }, (_, i): Schemas['JobOutlook'] => ({ job: `j${i}`, nodesBefore: [], nodesAfter: [], why: { code: 'placed', values: [], text: `because ${'of this and that '.repeat(i % 12)}` } }));
  return { basis: 1, moves, jobs, blocked: [], nodes: [], paused: [], refusals: [], cancelled: [], broken: [], runningBefore: 1, runningAfter: 1, yields: {}, cost: { moves: { resize: count }, bytes: 0 } };
}
