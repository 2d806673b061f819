import type { Browser, Page } from 'playwright-core';
import type { PageToVisit } from '../pages';
import { audit } from './audit';
import { Visit, type Scheme } from './browser';
import type { Cluster } from './cluster';
import { phone, tooWide } from './phone';
import { keep, wanted, type Size } from './pictures';

/**
 * Visits each page, runs axe on it and keeps a picture if wanted. It repeats this in the other colour schemes, where
 * axe checks only colours, because nothing else differs. Returns all problems by page.
 */
export async function walk(browser: Browser, cluster: Cluster, pages: PageToVisit[], size: Size, schemes: Scheme[]): Promise<Record<string, string[]>> {
  const visit = await Visit.begin(browser, cluster, { scheme: schemes[0]!, ...(size === 'phone' && phone) });
  const wrong: Record<string, string[]> = {};
  for (const { name, path: address, prepare } of pages) {
    visit.trouble.length = 0;
    await dye(visit.page, schemes[0]!);
    await visit.open(address);
    await prepare?.(visit.page);
    await settled(visit);
    const found = [...(await audit(visit.page)), ...(await emptyBands(visit.page)), ...(await cutWords(visit.page)), ...(size === 'phone' ? await tooWide(visit.page) : [])];
    await keep(visit, name, size, schemes[0]!);
    for (const scheme of schemes.slice(1)) {
      await dye(visit.page, scheme);
      if (wanted) await visit.open(address); // taking a picture of the whole page leaves the page scrolled and laid out for it
      if (wanted) await prepare?.(visit.page);
      await settled(visit);
      found.push(...(await audit(visit.page, ['color-contrast'])).map((what) => `${scheme}: ${what}`));
      await keep(visit, name, size, scheme);
    }
    if (await visit.page.getByRole('heading', { name: 'No such page' }).count()) found.push('there is no such page');
    if (found.length + visit.trouble.length > 0) wrong[name] = [...found, ...visit.trouble];
  }
  await visit.end();
  return wrong;
}

/** Switches the page to the scheme and waits until its colours have faded over. */
export async function dye(page: Page, colorScheme: Scheme) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction((scheme) => (document.documentElement.dataset['mantineColorScheme'] ?? scheme) === scheme, colorScheme);
  await frames(page, 2);
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'));
}

/** Waits until the page shows no loader and is not busy. */
export async function settled(visit: Visit) {
  await visit.page.waitForFunction(() => !document.querySelector('.mantine-Loader-root, [aria-busy="true"]'), undefined, { timeout: 20_000 });
  await frames(visit.page, 2);
}

/** Waits for the given number of frames. */
async function frames(page: Page, count: number) {
  for (let i = 0; i < count; i++) await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Lists words in tables that are partly hidden. In a table, words must wrap. */
function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role="region"] > table td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).slice(0, 5).map((cell) => `words are cut off: “${cell.textContent}”`),
  );
}

/** Lists tables in a box that is higher than the table, which looks as if rows were missing. */
function emptyBands(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[role="region"] > table')]
      .filter((table) => table.parentElement!.clientHeight > table.offsetHeight + 4)
      .map((table) => `there is an empty band below the table ${table.getAttribute('aria-label')}`),
  );
}
