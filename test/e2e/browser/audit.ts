// What axe finds wrong with a page for people who see, hear or move otherwise.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** As sentences. In the dark only the contrast can differ, so only that is asked for. `within` are selectors. */
export async function audit(
  page: Page,
  colorScheme: 'light' | 'dark' = 'light',
  within: readonly string[] = ['html'],
): Promise<string[]> {
  // Scripts that a test runs are no part of the page, so its policy lets them.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const runOnly = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  const options = JSON.stringify({ resultTypes: ['violations'], ...runOnly });
  // The form in which axe answers.
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(within)}, ${options})`)) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`));
}
