import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** With SIGHTLINE_SCREENSHOTS=<folder>, what a view looks like: light, dark, and as narrow as a phone. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SIGHTLINE_SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.screenshot({ path: join(folder, `${name}-light.png`) });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(folder, `${name}-dark.png`) });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: join(folder, `${name}-narrow.png`) });
  await page.setViewportSize(size);
}

/** What a page showed last, for whoever looks for why a test failed. */
export async function shootEnd(page: Page): Promise<void> {
  const folder = process.env['SIGHTLINE_SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, 'end.png') });
}
