import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { launch, Visit } from './harness/browser';
import { frameTable, measureFrames, type Frames } from './harness/frames';
import { ModelledCluster } from './harness/model';
import { settled } from './harness/walk';

const seconds = 5;

let browser: Browser;
let cluster: ModelledCluster;
const measured: [string, Frames][] = [];

beforeAll(async () => {
  [browser, cluster] = await Promise.all([launch(), ModelledCluster.start(1000, 10_000)]);
});

afterAll(async () => {
  console.log(frameTable(measured));
  await browser?.close();
  await cluster?.end();
});

/** Hand performs one action on a page; it is called again and again with a rising number. */
type Hand = (page: Page, time: number) => Promise<void>;

const forth = (time: number, length: number) => (Math.floor(time / length) % 2 === 0 ? 1 : -1);
const scroll: Hand = (page, time) => page.mouse.wheel(0, 240 * forth(time, 60));
const zoom: Hand = async (page, time) => {
  if (time === 0) await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40 * forth(time, 40));
};
const pan: Hand = async (page, time) => {
  if (time === 0) await page.mouse.down();
  await page.mouse.move(700 + 300 * Math.sin(time / 20), 500);
};
const point: Hand = (page, time) => page.mouse.move(700 + 400 * Math.sin(time / 30), 500 + 200 * Math.sin(time / 7));
const look: Hand = (page) => page.waitForTimeout(100);

const courses: [what: string, path: string, hand: Hand, busy?: 'busy'][] = [
  ['node map: pointed at', '/nodes', point],
  ['node map: scrolled', '/nodes', scroll],
  ['node map: pointed at while jobs come and go', '/nodes', point, 'busy'],
  ['table of nodes: scrolled', '/nodes?view=table', scroll],
  ['table of jobs: scrolled', '/jobs', scroll],
  ['table of jobs: scrolled while jobs come and go', '/jobs', scroll, 'busy'],
  ['table of spans: scrolled', '/timeline?view=table', scroll],
  ['timeline by node: pointed at', '/timeline', point],
  ['timeline by node: scrolled', '/timeline', scroll],
  ['timeline by node: zoomed', '/timeline', zoom],
  ['timeline by node: dragged', '/timeline', pan],
  ['timeline by job: zoomed', '/timeline?rows=jobs', zoom],
  ['timeline by job: dragged while jobs come and go', '/timeline?rows=jobs', pan, 'busy'],
  ['events: followed while jobs come and go', '/events', look, 'busy'],
  ['events: scrolled while jobs come and go', '/events', scroll, 'busy'],
  ['overview: looked at while jobs come and go', '/', look, 'busy'],
];

test.each(courses)('%s', async (what, path, hand, busy) => {
  const visit = await Visit.begin(browser, cluster);
  await visit.open(path);
  await settled(visit);
  await visit.page.mouse.move(700, 500);
  const calm = busy ? bustle() : undefined;
  measured.push([what, await measureFrames(visit, seconds, what, (time) => hand(visit.page, time))]);
  await calm?.();
  expect(visit.trouble).toEqual([]);
  await visit.end();
});

/** Submits and cancels jobs of forty tasks, four a second, until the returned function is called. */
function bustle(): () => Promise<void> {
  let wanted = true;
  const ended = (async () => {
    while (wanted) {
      const job = await cluster.submit({ name: 'passing', tasks: 40, cpu: '100m', memory: '64Mi', command: ['serve', '50'] });
      await new Promise((resume) => setTimeout(resume, 250));
      await cluster.ask(`/v1/jobs/${job}`, { method: 'DELETE' });
    }
  })();
  return () => {
    wanted = false;
    return ended;
  };
}
