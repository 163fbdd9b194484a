import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';
import { seriousFindings } from './accessibility.ts';
import { openDashboard, startBrowser, type OpenedPage } from './browser.ts';

let ide: RunningSightline;
let browser: Browser;
let opened: OpenedPage;
let page: Page;
let home: string;

beforeAll(async () => {
  const entry = await builtProgram();
  home = await mkdtemp(join(tmpdir(), 'sightline-person-'));
  await mkdir(join(home, '.cursor'));
  await writeFile(join(home, '.cursor', 'mcp.json'), '{\n  // mine\n  "mcpServers": {}\n}\n');
  ide = await startSightline({
    project: { 'package.json': '{}', 'a.ts': 'export const a = 1;\n' },
    env: { HOME: home },
    entry,
  });
  browser = await startBrowser();
  opened = await openDashboard(browser, ide);
  ({ page } = opened);
});
afterAll(async () => {
  await browser.close();
  await ide.dispose();
  await rm(home, { recursive: true });
});

const go = (title: string) => page.getByRole('navigation').getByRole('link', { name: title }).click();

test('settings: what holds and why; a change is checked, written beside comments, and counts at once', async () => {
  const file = join(ide.home, 'config', 'config.json');
  await mkdir(join(ide.home, 'config'), { recursive: true });
  await writeFile(file, '{\n  // careful\n  "history.maxEntries": 50\n}\n');
  await go('Settings');
  const row = (key: string) => page.locator('.setting', { has: page.getByText(key, { exact: true }) });
  await row('policy.edit').getByText('the default').waitFor();
  await row('history.maxEntries').getByText(file).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const agent = await ide.connect();
  expect((await agent.call('write_file', { file_path: 'b.ts', content: '' })).error).toBeUndefined();
  await page.getByLabel('policy.edit').selectOption('deny');
  await row('policy.edit').getByText(file).waitFor();
  expect((await agent.call('write_file', { file_path: 'c.ts', content: '' })).error?.name).toBe('policy_denied');
  await page.getByLabel('history.maxEntries').fill('-1');
  await page.keyboard.press('Tab');
  await row('history.maxEntries').getByRole('alert').waitFor();
  expect(await readFile(file, 'utf8')).toBe(
    '{\n  // careful\n  "history.maxEntries": 50,\n  "policy": {\n    "edit": "deny"\n  }\n}\n',
  );
  await row('policy.edit').getByRole('button', { name: 'Reset' }).click();
  await row('policy.edit').getByText('the default').waitFor();
  expect((await agent.call('write_file', { file_path: 'c.ts', content: '' })).error).toBeUndefined();
});

test('install: the difference first, then exactly that, tried; and out again', async () => {
  const file = join(home, '.cursor', 'mcp.json');
  const before = await readFile(file, 'utf8');
  await go('Install');
  await page.getByRole('button', { name: 'Install Cursor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Install in Cursor' });
  await dialog.getByText('+    "sightline": {').waitFor();
  expect(await readFile(file, 'utf8')).toBe(before);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Write this' }).click();
  await page.getByText(/Cursor: done and tried, \d+ tools/).waitFor({ timeout: 60_000 });
  expect(await readFile(file, 'utf8')).toContain('// mine');
  await page.getByRole('button', { name: 'Remove Cursor' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Write this' }).click();
  await page.getByRole('button', { name: 'Install Cursor' }).waitFor();
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('health: engines, language servers with memory and restart, notifications, the log', async () => {
  await go('Health');
  const typescript = page.getByRole('region', { name: 'TypeScript/JavaScript' });
  await typescript.getByText('comes with Sightline').first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  const agent = await ide.connect();
  await agent.data('ide_file_structure', { file: 'a.ts' });
  await page.getByRole('tab', { name: 'Language servers' }).click();
  await page
    .getByText(/\d+ MB/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByText('No language server runs').waitFor();
  ide.sightline.notifications.add({ level: 'warning', source: 'trust', message: 'trust.json was damaged.' });
  await page.getByRole('tab', { name: 'Notifications (1)' }).click();
  await page.getByText('trust.json was damaged.').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('Nothing to tell').waitFor();
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('log').getByText('trust.json was damaged.').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

test('every view fits a telephone, in the dark too', async () => {
  const small = await openDashboard(browser, ide, { width: 360, height: 700, theme: 'dark' });
  const links = await small.page.getByRole('navigation').getByRole('link').all();
  expect(links.length).toBeGreaterThanOrEqual(5);
  for (const link of links) {
    await link.click();
    const name = (await link.locator('.label').textContent()) ?? '';
    await small.page.getByRole('heading', { name, level: 1 }).waitFor();
    await expect.poll(() => small.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await seriousFindings(small.page)).toEqual([]);
  }
  expect(small.complaints).toEqual([]);
});
