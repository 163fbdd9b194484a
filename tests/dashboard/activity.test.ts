import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';
import { openDashboard, startBrowser, type OpenedPage } from './browser.ts';
import { seriousFindings } from './accessibility.ts';

let ide: RunningSightline;
let browser: Browser;
let agent: TestClient;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  await builtProgram();
  ide = await startSightline({
    project: { 'package.json': '{"name":"shop"}', 'cart.ts': 'export const total = 41 + 1;\n' },
  });
  browser = await startBrowser();
  agent = await ide.connect({ name: 'reader' });
  opened = await openDashboard(browser, ide);
  ({ page } = opened);
});
afterAll(async () => {
  await browser.close();
  await ide.dispose();
});

const rows = () => page.getByRole('listbox', { name: 'Calls' }).getByRole('option');

test('calls appear as they happen, with both forms of the answer, and have an address', async () => {
  await page.getByText('No calls yet').waitFor();
  await agent.listTools();
  await agent.data('read_file', { file_path: 'cart.ts' });
  const failed = await agent.call('read_file', { file_path: 'missing.ts' });
  expect(failed.error).toBeDefined();
  await expect
    .poll(() => rows().allInnerTexts())
    .toEqual([
      expect.stringMatching(/read_file\s+, success[^]*file_path=cart\.ts[^]*reader 1/),
      expect.stringMatching(/read_file\s+, error[^]*missing\.ts does not exist[^]*reader 1/),
    ]);
  await rows().first().click();
  const pane = page.getByRole('region', { name: 'Call' });
  await pane.getByText('export const total').waitFor();
  await pane.getByRole('tab', { name: 'As data' }).click();
  await pane.getByText('"content"').or(pane.getByText('"lines"')).first().waitFor();
  await pane.getByRole('tab', { name: 'Parameters' }).click();
  await expect.poll(() => pane.getByRole('tabpanel').innerText()).toContain('"file_path": "cart.ts"');
  const address = page.url();
  expect(address).toMatch(/\/dashboard\/activity\/call_/);
  await page.keyboard.press('Escape');
  await pane.waitFor({ state: 'detached' });
  await page.goto(address);
  await pane.getByText('export const total').waitFor();
  await page.getByRole('button', { name: 'Close the call' }).click();
});

test('a client shows the tools that it was really given', async () => {
  await page.getByRole('button', { name: 'reader 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'reader 1' });
  const listed = (await agent.listTools()).sort();
  await expect.poll(async () => (await dialog.getByRole('listitem').allInnerTexts()).sort()).toEqual(listed);
  await page.keyboard.press('Escape');
});

test('filters, search in results, and a range dragged on the timeline narrow the list; what is shown is exported', async () => {
  await agent.data('search_symbols', { query: 'total' });
  await rows().nth(2).waitFor();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('error');
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.keyboard.press('/');
  // Only the answer has these words, not the arguments.
  await page.keyboard.type('41 + 1');
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  const strip = await page.locator('.timeline svg').boundingBox();
  if (strip === null) throw new Error('there is no timeline');
  await page.mouse.move(strip.x + 1, strip.y + 10);
  await page.mouse.down();
  await page.mouse.move(strip.x + strip.width / 50, strip.y + 10, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => rows().count()).toBeLessThan(3);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.getByRole('combobox', { name: 'Tool' }).selectOption('search_symbols');
  const exported = await exportAs('As JSON');
  expect(JSON.parse(exported)).toMatchObject([{ toolName: 'search_symbols', client: 'reader 1', status: 'success' }]);
  expect(await exportAs('As CSV')).toMatch(/^id,timestamp,client[^]*search_symbols/);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
});

test('one session is exported as a page that opens without the process, without secrets', async () => {
  await agent.call('search_text', { query: 'api_key=ghp_abcdefghijklmnopqrstuvwxyz0123456789' });
  await page.getByText('4 calls', { exact: true }).waitFor();
  const html = await exportAs(/reader 1, \d+ calls/);
  expect(html).toContain('search_text');
  expect(html).not.toContain('ghp_abc');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const alone = await context.newPage();
  await alone.setContent(html);
  await expect.poll(() => alone.locator('details').count()).toBeGreaterThanOrEqual(4);
  await expect.poll(() => alone.locator('details b').allInnerTexts()).toContain('search_symbols');
  await context.close();
});

test('the tail pauses when one scrolls up, counts what is new, and goes on at the end', async () => {
  for (let index = 0; index < 60; index++) await agent.call('read_file', { file_path: 'cart.ts' });
  await page.getByText('64 calls', { exact: true }).waitFor();
  const list = page.getByRole('listbox', { name: 'Calls' });
  const toEnd = () =>
    page.evaluate<number>(
      "((e) => e.scrollHeight - e.scrollTop - e.clientHeight)(document.querySelector('.virtualList'))",
    );
  await expect.poll(toEnd).toBeLessThan(30);
  await list.hover();
  await page.mouse.wheel(0, -600);
  await page.getByRole('button', { name: 'To the newest' }).waitFor();
  for (let index = 0; index < 3; index++) await agent.call('read_file', { file_path: 'cart.ts' });
  await page.getByRole('button', { name: '3 new' }).click();
  await expect.poll(toEnd).toBeLessThan(30);
});

test('totals, keys and the palette; a screen reader finds everything', async () => {
  await page.locator('h1').click();
  await page.keyboard.press('t');
  await expect.poll(() => page.getByRole('table').first().innerText()).toMatch(/read_file[^]*search_symbols/);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Search calls').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('needs');
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
});

test('clearing forgets the calls', async () => {
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await page.getByText('No calls yet').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

async function exportAs(name: string | RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name }).click();
  return readFile(await (await download).path(), 'utf8');
}
