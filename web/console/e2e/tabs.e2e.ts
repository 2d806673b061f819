import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import type { Schemas } from './harness/cluster';
import { ModelledCluster } from './harness/model';

let browser: Browser;
let cluster: ModelledCluster;

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(5, 10)]);
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

// A browser opens six connections to a manager over HTTP/1.1.
describe('a browser with eight tabs before one manager', () => {
  test('every tab loads and is live, and stays so when the one that holds the stream is closed', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs');
    const tabs = [visit.page];
    for (let i = 1; i < 8; i++) {
      const page = await visit.context.newPage();
      await page.goto(cluster.url + '/jobs');
      tabs.push(page);
    }
    await seen(tabs, await submitted('first'));
    await tabs.shift()!.close();
    await seen(tabs, await submitted('second'));
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('a tab that hangs with the stream is replaced by another, and wakes as one of many', async () => {
    const visit = await Visit.begin(browser, cluster);
    await visit.open('/jobs');
    await visit.page.getByRole('status', { name: /^live/ }).waitFor();
    const other = await visit.context.newPage();
    await other.goto(cluster.url + '/jobs');
    await other.getByRole('status', { name: /^live/ }).waitFor();
    const taken = other.waitForRequest((request) => request.url().endsWith('/v1/events'));
    await visit.devtools.send('Debugger.enable');
    await visit.devtools.send('Debugger.pause'); // the tab's script stands still, but the browser still holds its locks and streams
    await taken;
    await seen([other], await submitted('meanwhile'));
    await visit.devtools.send('Debugger.resume');
    await seen([visit.page, other], await submitted('afterwards'));
    expect(visit.trouble).toEqual([]);
    await visit.end();
  });

  test('eight tabs that follow outputs leave room for what is looked at', async () => {
    const visit = await Visit.begin(browser, cluster);
    const { jobs } = await cluster.ask<Schemas['JobPage']>('/v1/jobs?state=running&limit=1');
    for (let i = 0; i < 8; i++) {
      const page = await visit.context.newPage();
      await hide(page);
      await page.goto(`${cluster.url}/jobs/${jobs[0]!.id}?tab=output`);
    }
    await visit.open('/jobs');
    await seen([visit.page], await submitted('third'));
    await visit.end();
  });
});

/** Makes the page believe that its tab is in the background, which never happens in a browser without windows. */
async function hide(page: Page) {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
}

const submitted = (name: string) => cluster.submit({ name, cpu: '10m', memory: '16Mi', command: ['serve', '1'] });

/** Waits until each tab is live and shows the job. */
async function seen(tabs: Page[], job: string) {
  for (const page of tabs) {
    await page.getByRole('status', { name: /^live/ }).waitFor();
    await page.locator(`main a[href="/jobs/${job}"]`).waitFor();
  }
}
