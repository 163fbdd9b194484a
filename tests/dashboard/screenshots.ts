import { mkdir, readdir } from 'node:fs/promises';
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

/** With SIGHTLINE_FRAMES=<folder>, a frame of the film that `npm run pictures` makes of a test: its number, and how many seconds it is shown. */
export async function frame(page: Page, seconds: number): Promise<void> {
  const folder = process.env['SIGHTLINE_FRAMES'];
  if (folder === undefined) return;
  const number = String((await readdir(folder)).length).padStart(2, '0');
  await page.setViewportSize({ width: 1200, height: 680 });
  await page.screenshot({ path: join(folder, `${number}-${seconds}.png`) });
}
