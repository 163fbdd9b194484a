import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { RunningSightline } from '../harness/harness.ts';

/** Debian's own; `.ci/run` installs it. */
const executablePath = process.env['SIGHTLINE_CHROMIUM'] ?? '/usr/bin/chromium';

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** What the page complained of: errors of scripts and of the content policy. There must be none. */
  complaints: string[];
}

/** A browser of its own, let in by a link, on a view. */
export async function openDashboard(
  browser: Browser,
  ide: RunningSightline,
  options: { path?: string; theme?: 'light' | 'dark'; width?: number; height?: number } = {},
): Promise<OpenedPage> {
  const { path = 'activity', theme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height }, acceptDownloads: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal that the page shows is no mistake of the page.
    if (message.type() === 'error' && !message.text().includes('status of 422')) complaints.push(message.text());
  });
  await page.goto(ide.sightline.dashboard.newLink());
  await page.locator('.stream.live').waitFor({ state: 'attached' });
  if (path !== 'activity') {
    await page.goto(`${ide.url}/dashboard/${path}`);
    await page.locator('.stream.live').waitFor({ state: 'attached' });
  }
  return { page, context, complaints };
}
