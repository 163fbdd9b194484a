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

interface PageOptions {
  path?: string;
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

/** A browser of its own, let in by a link, on a view. */
export function openDashboard(browser: Browser, ide: RunningSightline, options: PageOptions = {}): Promise<OpenedPage> {
  return openPage(browser, { link: ide.sightline.dashboard.newLink(), url: ide.url }, options);
}

/** The same, of whatever process the link lets in to. */
export async function openPage(
  browser: Browser,
  { link, url }: { link: string; url: string },
  options: PageOptions = {},
): Promise<OpenedPage> {
  const { path = 'activity', theme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
    acceptDownloads: true,
    // What fades in has other colours on the way, which nobody means to judge.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal that the page shows is no mistake of the page.
    if (message.type() === 'error' && !message.text().includes('status of 422')) complaints.push(message.text());
  });
  await page.goto(link);
  await page.locator('.stream.live').waitFor({ state: 'attached' });
  if (path !== 'activity') {
    await page.goto(`${url}/dashboard/${path}`);
    await page.locator('.stream.live').waitFor({ state: 'attached' });
  }
  return { page, context, complaints };
}
