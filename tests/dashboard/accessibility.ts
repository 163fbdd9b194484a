import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that keeps people from using the page: serious and critical. Each in a line. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // As the debugger evaluates it: the page's own policy lets no foreign script in.
  await page.evaluate(`${axe}; undefined`);
  const found: unknown = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary).join(' | ')))`,
  );
  return Array.isArray(found) ? found.map(String) : [String(found)];
}
