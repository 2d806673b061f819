import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { audit } from './harness/audit';
import { launch, profile, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';
import { phone, tooWide } from './harness/phone';
import { until } from './harness/processes';
import { settled } from './harness/walk';
import { pagesOf } from './pages';

let browser: Browser;
let cluster: ModelledCluster;
let long = '';
let hostileJob = '';
const hostile = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202e\u001b[31m';
const name = 'x'.repeat(63);

// Four nodes, of which the last one is lost later.
beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(4, 12, '--lost', '1', '--lease', '5s')]);
  const labels = { ['l'.repeat(63)]: 'v'.repeat(63) };
  long = await cluster.submit({ name, cpu: '100m', memory: '64Mi', command: ['serve', '50', 'w'.repeat(2000)], labels });
  hostileJob = await cluster.submit({ name: 'hostile', cpu: '100m', memory: '64Mi', command: [hostile], args: [hostile], env: { HOSTILE: hostile }, labels: { note: hostile } });
  await cluster.awaitJob(hostileJob, 'at its end', (job) => job.ended !== undefined);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('the console when something goes wrong', () => {
  test('a lost node stands on the overview, on the map, in the table and on its page, with what to do', async () => {
    await until('n4 is lost', 60_000, async () => ['silent', 'down'].includes((await cluster.ask<Schemas['Node']>('/v1/nodes/n4')).health));
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open('/');
    await page.locator('main').getByText(/n4 has been (silent|down) for/).waitFor();
    await page.locator('main').getByText(/Check the machine|Bring it back/).first().waitFor();
    await visit.open('/nodes');
    await page.getByRole('article', { name: /^Node n4, (silent|down), Lost: / }).waitFor();
    await visit.open('/nodes?view=table');
    await page.getByRole('row', { name: /n4/ }).getByText(/silent|down/).waitFor();
    await visit.open('/nodes/n4');
    await page.locator('main').getByText(/^(silent|down)$/).first().waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.locator('main').getByText(/its lease has run out/).first().waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a failed move is told with its cause, where the job is and where the node is', async () => {
    const job = await cluster.submit({ name: 'stays', cpu: '100m', memory: '64Mi', command: ['serve', '50'], env: { MODEL_FAULT: 'migrate' } });
    const { tasks } = await cluster.awaitJob(job, 'running', (it) => it.state === 'running');
    const home = tasks![0]!.node!;
    await cluster.post(`/v1/nodes/${home}/drain`);
    await cluster.awaitJob(job, 'refused by its node', (it) => it.tasks![0]!.attempts! > 0 || it.tasks![0]!.node !== home);
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    await visit.open(`/jobs/${job}?tab=timeline`);
    await page.locator('main').getByText(new RegExp(`a move of task 0 of ${job} from ${home} to \\S+ failed`)).first().waitFor();
    await page.locator('main').getByText(/the task requested this fault/).first().waitFor();
    await visit.open('/events?kinds=move_failed');
    await page.locator('main').getByText(/the task requested this fault/).first().waitFor();
    await cluster.ask(`/v1/jobs/${job}`, { method: 'DELETE' });
    await cluster.post(`/v1/nodes/${home}/uncordon`);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a job that fails and a VM that cannot be made say so', async () => {
    const job = await cluster.submit({ name: 'doomed', cpu: '100m', memory: '64Mi', command: ['work', '0.1', '3'] });
    const cannot = await cluster.submit({ name: 'cannot', cpu: '100m', memory: '64Mi', command: ['serve', '1'], env: { MODEL_FAULT: 'create' } });
    await cluster.awaitJob(job, 'at its end', (it) => it.ended !== undefined);
    await cluster.awaitJob(cannot, 'refused by its node', (it) => (it.tasks?.[0]?.attempts ?? 0) > 0);
    const visit = await Visit.begin(browser, cluster);
    await visit.open(`/jobs/${job}`);
    await visit.page.locator('main').getByText('failed', { exact: true }).first().waitFor();
    await visit.open(`/jobs/${cannot}?tab=timeline`);
    await visit.page.getByText(/the task requested this fault/).first().waitFor();
    await cluster.ask(`/v1/jobs/${cannot}`, { method: 'DELETE' });
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('events name nodes as people do', async () => {
    const { events } = await cluster.ask<Schemas['EventPage']>('/v1/history?limit=1000');
    expect(events.filter((event) => /\bnode \d/.test(event.text ?? '')).map((event) => event.text)).toEqual([]);
  });

  // Tests that wait for a clock run at the same time.
  test.concurrent('a session whose token expires says so, and the login leads back to the page', async () => {
    const lasting = await cluster.post<Schemas['CreatedToken']>('/v1/tokens', { name: 'lasting', role: 'admin' });
    const { page, end } = await loggedIn(lasting.secret);
    // The page has its session when it asks for events. Only then the session becomes one that expires: on a slow machine
    // a page may need longer than a brief token lives, and a page that never had a session has lost none.
    const taken = new Promise<boolean>((resolve) => {
      void page.route((url) => url.pathname === '/v1/events', async (route) => {
        const brief = await cluster.post<Schemas['CreatedToken']>('/v1/tokens', { name: 'brief', role: 'admin', expires: '15s' });
        resolve(await page.evaluate(takeSession, brief.secret));
        await route.continue();
      }, { times: 1 });
    });
    await page.goto(cluster.url + '/jobs?states=running&sort=name');
    expect(await taken).toBe(true);
    await returnsAfterLogin(page, '/jobs?states=running&sort=name');
    await end();
  });

  test.concurrent('a revoked token ends its sessions, and what was being done is not lost', async () => {
    const token = await cluster.post<Schemas['CreatedToken']>('/v1/tokens', { name: 'revoked', role: 'admin' });
    const { page, end } = await loggedIn(token.secret);
    await page.goto(cluster.url + '/jobs/submit');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('half-written');
    await page.waitForFunction(() => JSON.stringify({ ...sessionStorage }).includes('half-written'));
    await cluster.ask(`/v1/tokens/${token.id}`, { method: 'DELETE' });
    await returnsAfterLogin(page, '/jobs/submit');
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('half-written');
    await end();
  });

  test.concurrent.each(['/', '/jobs', '/nodes', '/policy', '/about'])('%s says an error of the server in words, and recovers', async (address) => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    const bug = { type: 'about:blank', title: 'Internal Server Error', status: 500, code: 'internal', detail: 'the request met a bug', help: "Try again; if it persists, report it with the manager's log." };
    const fails = (url: URL) => url.pathname.startsWith('/v1/') && !['/v1/session', '/v1/events'].includes(url.pathname);
    await page.route(fails, (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(bug) }));
    await visit.open(address);
    const alert = page.getByRole('alert').filter({ hasText: 'The request met a bug' }).first();
    await alert.getByText('Try again; if it persists', { exact: false }).waitFor();
    await page.unroute(fails);
    await until('it recovers', 60_000, async () => {
      const again = page.getByRole('button', { name: 'Try again' }).first();
      if (await again.isVisible()) await again.click();
      return !(await alert.isVisible());
    });
    expect(visit.trouble.filter((what) => !what.endsWith('was answered with 500'))).toEqual([]);
    await visit.end();
  });

  test('what people call things and what guests write is text and nothing else, on every page', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { page } = visit;
    const tabs = ['tasks', 'yield', 'use', 'timeline', 'output', 'spec'].map((tab) => `/jobs/${hostileJob}?tab=${tab}`);
    for (const address of [...tabs, '/jobs', '/events', '/timeline', '/', `/jobs?search=${encodeURIComponent(hostile)}`]) {
      await visit.open(address);
      await settled(visit);
      expect(await page.evaluate(() => 'hacked' in window), address).toBe(false);
      expect(await page.locator('img[src="x"], main script').count(), address).toBe(0);
    }
    await visit.open(`/jobs/${hostileJob}?tab=output`);
    const log = page.getByRole('log');
    await log.getByText('<script>', { exact: false }).first().waitFor();
    expect(await log.textContent()).not.toMatch(/[\u202e\u001b]/);
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test.each([['a phone', phone], ['a usual window', {}]])('on %s no moment is cut off before its zone, however long that is', async (_, size) => {
    const visit = await Visit.begin(browser, cluster, { zone: 'Asia/Kathmandu', ...size });
    const { page } = visit;
    await page.addInitScript(() => localStorage.setItem('aliquot-columns-jobs', JSON.stringify(['id', 'state', 'submitted'])));
    for (const address of ['/events', '/jobs', '/timeline?view=table', '/tokens', '/images', `/jobs/${long}`]) {
      await visit.open(address);
      await settled(visit);
      const moments = page.locator('main time');
      expect(await moments.count(), address).toBeGreaterThan(0);
      const cut = await moments.evaluateAll((all) => all.filter((it) => it.closest('td') && it.closest('td')!.scrollWidth > it.closest('td')!.clientWidth).map((it) => it.textContent));
      expect(cut, address).toEqual([]);
    }
    await visit.end();
  });

  test('on a phone every page can be looked at: it is accessible, nothing is wider than the screen, and the menu leads anywhere', async () => {
    const visit = await Visit.begin(browser, cluster, phone);
    const { page } = visit;
    const wrong: Record<string, string[]> = {};
    const tabs = (of: string, ids: string[]) => ids.map((tab) => ({ name: `${of} ${tab}`, path: `${of}?tab=${tab}` }));
    const pages = [
      ...pagesOf(long, 'n1'),
      ...tabs(`/jobs/${long}`, ['yield', 'use', 'timeline', 'output', 'spec']),
      ...tabs('/nodes/n4', ['vms', 'history', 'events']),
      { name: 'node table', path: '/nodes?view=table' },
    ];
    for (const { name: which, path } of pages) {
      await visit.open(path);
      await settled(visit);
      const found = [...(await tooWide(page)), ...(await audit(page))];
      if (found.length > 0) wrong[which] = found;
    }
    expect(wrong).toEqual({});
    await visit.open('/');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await page.locator(`main a[href="/jobs/${long}"]`).first().click();
    await page.getByRole('heading', { level: 1, name: new RegExp(long) }).waitFor();
    expect(visit.trouble).toEqual([]);
    await visit.end();
  }, 400_000);
});

/** Returns a visit that was logged in by a token through the form. */
async function loggedIn(secret: string): Promise<{ page: Page; end: () => Promise<void> }> {
  const context = await profile(browser, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(cluster.url + '/login');
  await page.getByLabel('Token').fill(secret);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  return { page, end: () => context.close() };
}

/** In the page: makes the browser's session one of another token, and returns whether the server agreed. */
async function takeSession(token: string): Promise<boolean> {
  const headers = { 'Aliquot-Console': '1', 'Content-Type': 'application/json' };
  return (await fetch('/v1/session', { method: 'POST', headers, body: JSON.stringify({ token }) })).ok;
}

/**
 * Waits for the login page that reports the end of the session, logs in again, and checks that the page is the one from
 * before.
 */
async function returnsAfterLogin(page: Page, address: string) {
  await page.getByText('Your session has ended').waitFor();
  const token = await cluster.post<Schemas['CreatedToken']>('/v1/tokens', { name: 'again', role: 'admin' });
  await page.getByLabel('Token').fill(token.secret);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(cluster.url + address);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
