import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { PageToVisit } from '../pages';
import { audit } from './audit';
import { Visit, type Scheme } from './browser';
import type { Cluster } from './cluster';
import { root } from './processes';

/** Where pictures go; none are kept unless ALIQUOT_PICTURES says so, for they differ a little each time. */
const pictures = process.env.ALIQUOT_PICTURES ? path.resolve(root, process.env.ALIQUOT_PICTURES) : undefined;

/** Visits each page, lets axe look at it, keeps a picture if wanted, and returns all that is wrong, by page. */
export async function walk(browser: Browser, cluster: Cluster, pages: PageToVisit[], scheme: Scheme, size: 'small' | 'large'): Promise<Record<string, string[]>> {
  const visit = await Visit.begin(browser, cluster, { scheme });
  const wrong: Record<string, string[]> = {};
  for (const { name, path: address } of pages) {
    visit.trouble.length = 0;
    await visit.open(address);
    await settled(visit);
    const found = [...(await audit(visit.page)), ...visit.trouble];
    if (await visit.page.getByRole('heading', { name: 'No such page' }).count()) found.push('there is no such page');
    if (found.length > 0) wrong[name] = found;
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      writeFileSync(path.join(pictures, `${name}-${size}-${scheme}.webp`), await visit.picture());
    }
  }
  await visit.end();
  return wrong;
}

/** Waits until the page shows neither a loader nor that it is busy. */
export async function settled(visit: Visit) {
  await visit.page.waitForFunction(() => !document.querySelector('.mantine-Loader-root, [aria-busy="true"]'), undefined, { timeout: 20_000 });
  await visit.page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
}
