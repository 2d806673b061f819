import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Returns the serious problems that axe finds on the page, in words, by all rules or by the given ones. */
export async function audit(page: Page, rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (rules ? builder.withRules(rules) : builder).analyze();
  return violations
    .filter((found) => found.impact === 'serious' || found.impact === 'critical')
    .map((found) => `${found.id}: ${found.help}: ${found.nodes.slice(0, 3).map((node) => node.target.join(' ')).join('; ')}`);
}
