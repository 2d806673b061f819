import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, profile, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { Lab } from './harness/lab';
import { bustle, keep, wanted } from './harness/pictures';
import { until } from './harness/processes';
import { dye, settled, walk } from './harness/walk';
import { closeUpsOf, pagesOf } from './pages';

let browser: Browser;
let lab: Lab;
let simulation = '';
const uneven: string[] = []; // each of these jobs is too large for one node

beforeAll(async () => {
  [browser, lab] = await Promise.all([launch(), Lab.start()]);
});

afterAll(async () => {
  await browser?.close();
  await lab?.end();
});

const small = { cpu: '200m', memory: '96Mi' };
const counting = ['/bin/sh', '-c', 'i=0; while true; do i=$((i+1)); echo line $i; sleep 1; done'];
const long = { timeout: 60_000 }; // time limit for real VMs on a busy machine

describe('the console before three real nodes and three managers', () => {
  test('a newcomer follows the one-time address, submits a job, sees it run and what it writes', async () => {
    const address = await lab.loginAddress();
    const context = await profile(browser);
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: 'Submit a job' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('hello');
    await page.getByRole('textbox', { name: 'Command' }).fill('echo "it is mine"; sleep 600');
    await page.getByLabel('CPU need').fill('200m');
    await page.getByRole('textbox', { name: 'Memory' }).fill('96Mi');
    await page.getByText(/would start now on/i).waitFor();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /hello/ }).waitFor();
    await page.locator('main').getByText('running', { exact: true }).first().waitFor(long);
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByRole('log').getByText('it is mine').waitFor(long);

    const again = await profile(browser);
    const other = await again.newPage();
    await other.goto(address);
    await other.getByText('has been used or has expired').waitFor();
    await again.close();
    await context.close();
  });

  test('a job is paused, resumed with its work kept, and cancelled, and each is asked for once', async () => {
    const job = await lab.submit({ ...small, name: 'counter', command: counting });
    const visit = await Visit.begin(browser, lab);
    const { page } = visit;
    await visit.open(`/jobs/${job}`);
    const state = page.locator('main');
    await state.getByText('running', { exact: true }).first().waitFor(long);
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByRole('log').getByText('line 3').waitFor(long);

    await page.getByRole('tab', { name: 'Terminal' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Task 0: the command runs.').waitFor(long);
    await page.keyboard.type('echo $((6*7)) rows: $(stty size)\n');
    await page.locator('.xterm-rows').getByText(/^42 rows: [1-9]\d+ [1-9]\d+/).waitFor(long);
    await keep(visit, 'terminal', 'small', 'light');
    await page.keyboard.type('exit 3\n');
    await page.getByText('Task 0: the command has ended with code 3.').waitFor(long);

    await page.getByRole('button', { name: 'Pause' }).click();
    await state.getByText('held', { exact: true }).first().waitFor(long);
    await lab.awaitJob(job, 'saved', (j) => j.tasks![0]!.state === 'paused');
    await state.getByRole('button', { name: 'Resume' }).click();
    const after = await lab.awaitJob(job, 'running again', (j) => j.state === 'running');
    expect(after.tasks![0]!.run).toBe(1);
    await state.getByText('running', { exact: true }).first().waitFor(long);

    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel ${job}?` });
    await dialog.getByText('its work is lost').waitFor();
    await dialog.getByRole('button', { name: `Cancel ${job}` }).click();
    await state.getByText('cancelled', { exact: true }).first().waitFor(long);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a node is drained as its preview said, and takes VMs again', async () => {
    const job = await lab.submit({ ...small, cpu: '100m', name: 'movable', command: counting });
    const { tasks } = await lab.awaitJob(job, 'running', (j) => j.state === 'running');
    const home = tasks![0]!.node!;
    const visit = await Visit.begin(browser, lab);
    const { page } = visit;
    await visit.open(`/nodes/${home}`);
    const dialog = page.getByRole('dialog', { name: `Drain ${home}?` });
    // The cluster may change between preview and drain. Then nothing is done and the preview is shown anew.
    await page.getByRole('button', { name: 'Drain…' }).click();
    await dialog.getByText(job).first().waitFor();
    let promise = '';
    await until(`${home} drains`, 60_000, async () => {
      const confirm = dialog.getByRole('button', { name: `Drain ${home}` });
      if (await confirm.isEnabled({ timeout: 1000 }).catch(() => false)) {
        promise = (await dialog.getByText(`task 0 of ${job} `).first().textContent({ timeout: 1000 })) ?? '';
        await confirm.click();
      }
      const node = await lab.ask<Schemas['Node']>(`/v1/nodes/${home}`);
      return node.draining;
    });
    await dialog.waitFor({ state: 'hidden' });
    const away = await lab.awaitJob(job, `away from ${home}`, (j) => j.tasks![0]!.node !== home || j.tasks![0]!.state === 'paused', 90_000);
    expect(away.tasks![0]!.run).toBe(1);
    const { node, state } = away.tasks![0]!;
    expect(promise).toMatch(state === 'paused' ? `task 0 of ${job} is paused` : `task 0 of ${job} moves from ${home} to ${node}`);
    await page.getByRole('button', { name: 'Uncordon', exact: true }).click();
    await until(`${home} takes VMs`, 30_000, async () => !(await lab.ask<Schemas['Node']>(`/v1/nodes/${home}`)).cordoned);
    await visit.open(`/jobs/${job}?tab=timeline`);
    await page.getByText(/migrat|moved|paus/i).first().waitFor(long);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('the next rebalancing is shown with its bound, and discarded without a trace', async () => {
    await lab.ask('/v1/policy', { method: 'PUT', body: JSON.stringify({ name: 'GreedyPM */per/opt=min/minvt=5', period: '1h' }) }); // decides at once, and then not for an hour
    const { jobs } = await lab.ask<Schemas['JobPage']>('/v1/jobs?state=active');
    for (const { id } of jobs) await lab.ask(`/v1/jobs/${id}`, { method: 'DELETE' });
    // Six of them fill n1. The seventh is better off on n2.
    for (let i = 0; i < 7; i++) uneven.push(await lab.submit({ ...small, cpu: '180m', name: 'uneven', command: counting, placement: { nodes: ['n1', 'n2'] } }));
    for (const job of uneven) await lab.awaitJob(job, 'running', (j) => j.state === 'running', 120_000);
    await lab.crowd('n1');
    for (const job of uneven) await lab.awaitJob(job, 'old enough to be moved', (j) => j.virtualSeconds > 6);
    const before = await placesOf(uneven);
    expect(new Set(before.values())).toEqual(new Set(['n1']));
    const visit = await Visit.begin(browser, lab);
    const { page } = visit;
    await visit.open('/plan');
    const plan = await planMigration(visit);
    await page.getByText(/→ .*, of at most /).waitFor();
    await settled(visit);
    await keep(visit, 'plan-moves', 'small', 'light');
    await dye(page, 'dark');
    await keep(visit, 'plan-moves', 'small', 'dark');
    await dye(page, 'light');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('The plan is discarded').waitFor();
    expect(await page.getByRole('button', { name: 'Apply now' }).count()).toBe(0);
    expect(await placesOf(uneven)).toEqual(before);
    const { events } = await lab.ask<Schemas['EventPage']>('/v1/history?limit=100');
    expect(events.filter((event) => event.revision > plan.basis && /^task_(migrating|pausing|stopping)$/.test(event.kind))).toEqual([]);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  }, 400_000);

  test('the plan that is applied is what then happens', async () => {
    const visit = await Visit.begin(browser, lab);
    const { page } = visit;
    await visit.open('/plan');
    let plan = await planMigration(visit);
    await until('a plan is applied before the cluster changes again', 60_000, async () => {
      const answered = page.waitForResponse((response) => response.url().endsWith('/v1/plan/apply'));
      await page.getByRole('button', { name: 'Apply now' }).click();
      if ((await answered).ok()) return true;
      await page.getByText('Nothing was done.').waitFor();
      plan = await planMigration(visit);
      return false;
    });
    await page.getByText('The plan is being carried out').waitFor();
    for (const outlook of plan.jobs) {
      const job = await lab.awaitJob(outlook.job, 'where the plan said', (j) => j.state === 'running' && String(nodesOf(j)) === String(outlook.nodesAfter.toSorted()), 120_000);
      expect(job.yield).toBeCloseTo(outlook.yieldAfter!, 2);
      expect(job.tasks!.every((task) => task.run === 1)).toBe(true); // moved, not started anew
    }
    expect(visit.trouble).toEqual([]);
    await visit.end();
  }, 400_000);

  test('what other policies would do with the live jobs is simulated and compared', async () => {
    const visit = await Visit.begin(browser, lab);
    const { page } = visit;
    await visit.open('/simulate');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByRole('table', { name: 'Measures by policy' }).waitFor(long);
    await page.getByRole('region', { name: /^Simulated timeline under/ }).waitFor();
    simulation = new URL(page.url()).searchParams.get('id')!;
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a follower shows all managers, which one leads and which one answers, and what is used', async () => {
    const leader = await lab.leader();
    const follower = [1, 2, 3].find((i) => i !== leader)!;
    const visit = await Visit.begin(browser, lab, { url: lab.manager(follower) });
    const { page } = visit;
    await visit.open('/about');
    const managers = page.getByRole('table', { name: 'Managers' });
    for (const i of [1, 2, 3]) {
      const row = managers.getByRole('row').filter({ hasText: lab.manager(i) });
      const number = row.getByRole('cell').first();
      await number.getByText(i === follower ? `${i} (this one)` : `${i}`, { exact: true }).waitFor();
      await row.getByRole('cell', { name: i === leader ? 'leader' : 'follower', exact: true }).waitFor();
      await row.getByText('ok', { exact: true }).waitFor();
    }
    await page.getByText('3 of 3 managers are well').waitFor();
    await page.getByText(`live, from replica ${follower}`).waitFor();
    await settled(visit);
    await keep(visit, 'about-follower', 'small', 'light');

    await visit.open(`/jobs/${uneven[0]}`);
    await until('what was measured is shown', 60_000, async () => {
      const [task] = await cellsOf(page, 'Tasks');
      return /\d(m| cores?)$/.test(task!.Uses!) && task!.Resident!.endsWith(' MiB') && task!.Charged!.endsWith(' MiB');
    });
    await visit.open('/');
    await page.locator('main').getByText(/^used [\d.]+(m| cores?)$/).waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  // The pages of modelled clusters are checked in the other files; here a node with real VMs and their measured use.
  test('a job, its use and its node are accessible', async () => {
    const { id, tasks } = await lab.awaitJob(uneven[0]!, 'running', (job) => job.state === 'running');
    const pages = [...pagesOf(id, tasks![0]!.node!, simulation), ...closeUpsOf(id, tasks![0]!.node!)];
    await bustle(lab, 6, ['sweep', 'render', 'fit', 'training'].map((name, i) => ({ ...small, name, cpu: `${60 * (i + 1)}m`, command: counting })));
    const some = wanted ? pages : pages.filter(({ name }) => ['job-use', 'node', 'simulate'].includes(name));
    expect(some.length).toBeGreaterThanOrEqual(3);
    expect(await walk(browser, lab, some, 'small', ['light', 'dark'])).toEqual({});
    if (wanted) expect(await walk(browser, lab, pages, 'phone', ['light'])).toEqual({});
  }, 1_800_000);

  // This test comes last, because it kills a manager.
  test('when the leader dies the page goes on with the next one', async () => {
    const leader = await lab.leader();
    const follower = [1, 2, 3].find((i) => i !== leader)!;
    const visit = await Visit.begin(browser, lab, { url: lab.manager(follower) });
    await visit.open('/jobs');
    const badge = visit.page.getByRole('status', { name: /^live/ });
    await badge.waitFor();
    await lab.kill(leader);
    await until('another one leads', 60_000, async () => (await lab.leader()) || undefined);
    await badge.waitFor(long);
    const job = await lab.ask<Schemas['Accepted']>('/v1/jobs', { method: 'POST', body: JSON.stringify({ ...small, name: 'after', command: ['/bin/true'] }) }, lab.manager(follower));
    await visit.page.locator(`main a[href="/jobs/${job.job}"]`).waitFor(long);
    await visit.end();
  });

  test('a page whose manager goes away says so, and recovers by itself', async () => {
    const alive = (await lab.leader()) || 1;
    const visit = await Visit.begin(browser, lab, { url: lab.manager(alive) });
    await visit.open('/jobs');
    await visit.page.getByRole('status', { name: /^live/ }).waitFor();
    await lab.kill(alive);
    await visit.page.getByText('The connection to the manager is lost').waitFor(long);
    lab.startManager(alive);
    await visit.page.getByRole('status', { name: /^live/ }).waitFor(long);
    await until('a manager leads', 60_000, () => lab.leader());
    const job = await lab.ask<Schemas['Accepted']>('/v1/jobs', { method: 'POST', body: JSON.stringify({ ...small, name: 'afterwards', command: ['/bin/true'] }) }, lab.manager(alive));
    await visit.page.locator(`main a[href="/jobs/${job.job}"]`).waitFor(long); // the data is live again, not only the badge
    await visit.end();
  });
});

const nodesOf = (job: Schemas['Job']) => job.tasks!.map((task) => task.node ?? '').toSorted();

/** Returns the rows of a table, each by the headers of its columns. */
async function cellsOf(page: Page, label: string): Promise<Record<string, string>[]> {
  const table = page.getByRole('table', { name: label, exact: true });
  const headers = await table.getByRole('columnheader').allTextContents();
  const rows = await table.locator('tbody tr[aria-rowindex]').all();
  return Promise.all(rows.map(async (row) => Object.fromEntries((await row.locator('td').allTextContents()).map((text, i) => [headers[i]!.trim(), text.trim()]))));
}

/** Returns the node of each of the jobs. */
async function placesOf(jobs: string[]): Promise<Map<string, string>> {
  return new Map(await Promise.all(jobs.map(async (id) => [id, String(nodesOf(await lab.job(id)))] as const)));
}

/** Requests plans until one migrates a task: a node that is silent for two seconds is no destination. */
async function planMigration(visit: Visit): Promise<Schemas['Plan']> {
  let plan = await planAnew(visit);
  await until('a plan that migrates a task', 120_000, async () => {
    const migrates = plan.moves.some((move) => move.kind === 'migrate');
    if (!migrates) plan = await planAnew(visit);
    return migrates;
  });
  return plan;
}

/** Requests the plan again and returns the answer to the page. */
async function planAnew({ page }: Visit): Promise<Schemas['Plan']> {
  const again = page.getByRole('button', { name: 'Plan again' });
  await again.click({ trial: true }); // no plan is being made
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/plan') && response.ok());
  await again.click();
  const plan = (await (await answered).json()) as Schemas['Plan'];
  await page.getByText(new RegExp(`(Made for|at) revision ${plan.basis}\\b`)).waitFor(); // "at": no move is beneficial
  return plan;
}
