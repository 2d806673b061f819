import type { Browser, Page } from 'playwright-core';
import type { PageToVisit } from '../pages';
import { audit } from './audit';
import { Visit, type Scheme } from './browser';
import type { Cluster } from './cluster';
import { keep, type Size } from './pictures';

const windows = { phone: { width: 390, height: 844 } };

/** Visits each page, lets axe look at it, keeps a picture if wanted, and returns all that is wrong, by page. */
export async function walk(browser: Browser, cluster: Cluster, pages: PageToVisit[], scheme: Scheme, size: Size): Promise<Record<string, string[]>> {
  const visit = await Visit.begin(browser, cluster, { scheme, ...(size === 'phone' && windows.phone) });
  const wrong: Record<string, string[]> = {};
  for (const { name, path: address, prepare } of pages) {
    visit.trouble.length = 0;
    await visit.open(address);
    await prepare?.(visit.page);
    await settled(visit);
    const found = [...(await audit(visit.page)), ...(await emptyBands(visit.page)), ...visit.trouble];
    if (await visit.page.getByRole('heading', { name: 'No such page' }).count()) found.push('there is no such page');
    if (found.length > 0) wrong[name] = found;
    await keep(visit, name, size, scheme);
  }
  await visit.end();
  return wrong;
}

/** Waits until the page shows neither a loader nor that it is busy. */
export async function settled(visit: Visit) {
  await visit.page.waitForFunction(() => !document.querySelector('.mantine-Loader-root, [aria-busy="true"]'), undefined, { timeout: 20_000 });
  await visit.page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
}

/** Tables that stand in a box higher than they are, which looks as if rows were missing. */
function emptyBands(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role="region"] > table')]
      .filter((table) => table.parentElement!.clientHeight > table.offsetHeight + 4)
      .map((table) => `there is an empty band below the table ${table.getAttribute('aria-label')}`),
  );
}
