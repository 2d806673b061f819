import type { Page } from 'playwright-core';

/** The width of a phone, in CSS pixels. */
export const phone = { width: 390, height: 844 };

/** Lists elements that are wider than the page, in words. On a phone nobody should have to scroll the page sideways. */
export async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (element: Element) => {
      for (let it = element.parentElement; it && it !== document.body; it = it.parentElement) {
        if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(it).overflowX)) return true;
      }
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element));
    return [
      `the page is ${document.documentElement.scrollWidth} px wide on a screen of ${width}`,
      ...wide.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}.${String(element.getAttribute('class')).slice(0, 60)} “${element.textContent.slice(0, 40)}”`),
    ];
  });
}
