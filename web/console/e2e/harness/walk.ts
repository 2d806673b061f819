import type { Browser, Page } from 'playwright-core';
import type { PageToVisit } from '../pages';
import { audit } from './audit';
import { Visit, type Scheme } from './browser';
import type { Cluster } from './cluster';
import { phone, tooWide } from './phone';
import { keep, type Size } from './pictures';

/** How a page is looked at: before which cluster, or on a phone, and in which colours. */
export interface Look {
  size: Size;
  scheme: Scheme;
  /** No picture is kept. */
  unkept?: boolean;
}

const window = { width: 1280, height: 800 };

/**
 * Visits each page once, turns it to each of the looks, lets axe look at it, keeps a picture if wanted, and returns all that is
 * wrong, by page. In other colours nothing but colours is other, so that axe looks at no more than those.
 */
export async function walk(browser: Browser, cluster: Cluster, pages: PageToVisit[], looks: Look[]): Promise<Record<string, string[]>> {
  const visit = await Visit.begin(browser, cluster, looks[0]);
  const wrong: Record<string, string[]> = {};
  for (const { name, path: address, prepare } of pages) {
    visit.trouble.length = 0;
    const found: string[] = [];
    for (const [i, look] of looks.entries()) {
      await turn(visit.page, look);
      if (i === 0) await visit.open(address);
      if (i === 0) await prepare?.(visit.page);
      await settled(visit);
      const recoloured = looks.slice(0, i).some((before) => before.size === look.size);
      const worse = [...(await audit(visit.page, recoloured ? ['color-contrast'] : undefined)), ...(recoloured ? [] : await misfits(visit.page, look))];
      found.push(...worse.map((what) => `${look.size}, ${look.scheme}: ${what}`));
      if (!look.unkept) await keep(visit, name, look.size, look.scheme);
    }
    found.push(...visit.trouble);
    if (await visit.page.getByRole('heading', { name: 'No such page' }).count()) found.push('there is no such page');
    if (found.length > 0) wrong[name] = found;
  }
  await visit.end();
  return wrong;
}

async function turn(page: Page, { size, scheme }: Look) {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size === 'phone' ? phone : window);
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running')); // colours fade, however shortly
}

const misfits = async (page: Page, { size }: Look) => [...(await emptyBands(page)), ...(size === 'phone' ? await tooWide(page) : [])];

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
