import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { openDashboard, startBrowser, type OpenedPage } from './browser.ts';
import { seriousFindings } from './accessibility.ts';
import { shoot, shootEnd } from './screenshots.ts';

const hostile = '<img src=x onerror=document.title=1337>';
const app = `// ${hostile}
const readline = require('node:readline');
function total(items) {
  let sum = 0;
  const label = ${JSON.stringify(hostile)};
  for (const item of items) {
    sum += item.price * item.qty;
  }
  console.log(label, sum);
  return sum;
}
const cart = [{ price: 2, qty: 3 }, { price: 5, qty: 1 }];
total(cart);
readline.createInterface({ input: process.stdin }).once('line', (line) => {
  console.log('read ' + line);
  process.exit(0);
});
`;

describe('the debug view', () => {
  let browser: Browser;
  let ide: RunningSightline;
  let opened: OpenedPage;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    await shootEnd(opened.page);
    await opened.context.close();
    await ide.dispose();
  });
  afterAll(() => browser.close());

  const current = (page: Page) => page.locator('.cm-line.currentLine');
  const value = (page: Page, name: string) =>
    page
      .locator('.values > li')
      .filter({ has: page.locator(`> .valueRow .valueName`, { hasText: new RegExp(`^${name}$`) }) });

  /** A stop that the program has left before it was remembered is not among the cards. */
  const remembered = (page: Page, stops: number) =>
    page
      .locator('.stopCard')
      .nth(stops - 1)
      .waitFor();
  /** All that an agent was told of a person; a call of theirs may end a moment after what it did is seen. */
  const heardBy = (agent: TestClient) => {
    let notes = '';
    return async () => (notes += JSON.stringify((await agent.data('list_debug_sessions'))['notes'] ?? []));
  };

  it('shows the program that an agent debugs, and lets a person drive it', async () => {
    ide = await startSightline({ project: { 'app.js': app } });
    const agent = await ide.connect({ face: 'debugger' });
    opened = await openDashboard(browser, ide, { path: 'debug' });
    const { page } = opened;
    await page.getByText('Nothing is being debugged').waitFor();
    await agent.data('set_breakpoint', { file_path: 'app.js', line: 7 });
    await agent.data('start_debug_session', { program: 'app.js' });

    // What the agent started appears by itself.
    await current(page).filter({ hasText: 'sum += item.price' }).waitFor();
    await page.locator('.tok-keyword').first().waitFor();
    await remembered(page, 1);
    await expect.poll(() => value(page, 'sum').locator('.valueText').innerText()).toBe('0');
    await expect.poll(() => page.locator('.stack li').first().innerText()).toContain('total');
    await value(page, 'item').getByRole('button', { name: 'Open item' }).click();
    await expect.poll(() => value(page, 'qty').locator('.valueText').innerText()).toBe('3');

    // Steps by key and by button; what changed is marked.
    await page.locator('.cm-content').press('F10');
    await current(page).filter({ hasText: 'for (const item' }).waitFor();
    await value(page, 'sum').and(page.locator('.changed')).waitFor();
    await expect.poll(() => value(page, 'sum').locator('.previous').innerText()).toBe('0');
    await remembered(page, 2);
    await page.getByRole('button', { name: 'Step over' }).click();
    await current(page).filter({ hasText: 'sum += item.price' }).waitFor();
    await remembered(page, 3);

    // A value is set, a watch added, an expression asked.
    await value(page, 'sum').locator('.valueText').dblclick();
    await page.getByLabel('Value of sum').fill('100');
    await page.getByLabel('Value of sum').press('Enter');
    await value(page, 'sum').locator('.valueText', { hasText: '100' }).waitFor();
    await page.getByLabel('Expression to watch').fill('sum * 2');
    await page.getByLabel('Expression to watch').press('Enter');
    await page.locator('.rows li', { hasText: 'sum * 2' }).getByText('200').waitFor();
    await page.getByLabel('Expression', { exact: true }).fill('items.length');
    await page.getByLabel('Expression', { exact: true }).press('Enter');
    await page.locator('.consoleLog .answer', { hasText: '2' }).waitFor();

    // A breakpoint by a click in the gutter, with a condition, disabled, and removed.
    const gutter = page.locator('.breakpointGutter .cm-gutterElement');
    await gutter.nth(9).click();
    await page.locator('.breakpointDot').nth(1).waitFor();
    await gutter.nth(9).click({ button: 'right' });
    await page.getByLabel('Stop only if').fill('sum > 1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.breakpointDot.conditional').waitFor();
    await page.getByRole('tab', { name: 'Breakpoints' }).click();
    await page.getByLabel('Enable app.js:10').uncheck();
    await page.locator('.breakpointDot.disabled').waitFor();
    await page.getByRole('button', { name: 'Remove app.js:10' }).click();
    await page.locator('.breakpointDot.disabled').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Processes' }).click();
    await page.getByText('pid ').first().waitFor();
    await page.getByRole('tab', { name: 'State' }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'debug');

    // Back in time: source, stack and variables as they were.
    await page.locator('.filmstrip ol').press('ArrowLeft');
    await page.locator('.filmstrip ol').press('ArrowLeft');
    await page.getByText('As it was at stop 1').waitFor();
    await expect.poll(() => page.url()).toMatch(/\/debug\/session_[\w-]+\/1$/);
    await value(page, 'sum').locator('.valueText', { hasText: /^0$/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Step over' }).isDisabled()).toBe(true);
    await page.reload();
    await page.getByText('As it was at stop 1').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await value(page, 'sum').locator('.valueText', { hasText: '100' }).waitFor();

    // Run to the line of the cursor; the output is shown as text.
    await page.locator('.cm-line').nth(9).click();
    await page.getByRole('button', { name: 'Run to the line' }).click();
    await current(page).filter({ hasText: 'return sum' }).waitFor();
    const heard = heardBy(agent);
    await expect
      .poll(heard, { timeout: 10_000 })
      .toMatch(/a person .*set `sum` to `100`.*ran towards line 10 to app\.js:10/);
    await agent.data('remove_breakpoint', { breakpoint_id: 'bp_1' });
    await page.locator('.cm-content').press('F8');
    await page.locator('.consoleLog .output', { hasText: `${hostile} 1` }).waitFor();
    await page.getByRole('heading', { name: 'The program runs' }).waitFor();

    // The program reads what a person types, and ends.
    await page.getByLabel('What Enter does').selectOption('input');
    await page.getByLabel('Input of the program').fill('hello');
    await page.getByLabel('Input of the program').press('Enter');
    await page.locator('.consoleLog .output', { hasText: 'read hello' }).waitFor();
    await page.getByText('The program ended with exit code 0').waitFor();
    await expect.poll(heard, { timeout: 10_000 }).toContain('typed `hello` into the program');
    await expect.poll(heard, { timeout: 10_000 }).toContain('resumed');
    expect(await page.title()).not.toContain('1337');
    expect(opened.complaints).toEqual([]);
  });

  it('pauses a Python program that runs, leads it out of its loop, and shows what it raises', async () => {
    await ensureEngine('debugpy');
    const main = `import time

def work(n):
    total = n * 2
    if total > 1000000:
        raise ValueError('${hostile}')
    return total

count = 0
go_on = True
while go_on:
    time.sleep(0.01)
    count += 1
work(1000000)
`;
    ide = await startSightline({ project: { 'main.py': main } });
    const agent = await ide.connect({ face: 'debugger' });
    opened = await openDashboard(browser, ide, { path: 'debug' });
    const { page } = opened;
    await agent.data('start_debug_session', { program: 'main.py', wait_ms: 0 });
    await page.getByRole('heading', { name: 'The program runs' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await current(page).waitFor();
    await page.locator('.stopCard').waitFor();
    await page.locator('.breakpointGutter .cm-gutterElement').nth(12).click();
    await page.locator('.breakpointDot').waitFor();
    await page.keyboard.press('F8');
    await page.locator('.stopNote .badge', { hasText: 'breakpoint' }).waitFor();
    await page.locator('.stopCard').nth(1).waitFor();
    await value(page, 'go_on').locator('.valueText').dblclick();
    await page.getByLabel('Value of go_on').fill('False');
    await page.getByLabel('Value of go_on').press('Enter');
    await value(page, 'go_on').locator('.valueText', { hasText: 'False' }).waitFor();
    await page.locator('.cm-line', { hasText: 'work(1000000)' }).click();
    await page.keyboard.press('Control+F10');
    await current(page).filter({ hasText: 'work(1000000)' }).waitFor();
    await page.keyboard.press('F11');
    await current(page).filter({ hasText: 'total = n * 2' }).waitFor();
    // The question is jumped over, so what comes next is what it would have led to.
    await page.locator('.cm-line', { hasText: 'raise ValueError' }).click();
    await page.getByRole('button', { name: /^Jump to the line/ }).click();
    await current(page).filter({ hasText: 'raise ValueError' }).waitFor();
    await page.keyboard.press('F8');
    await page.locator('.stopNote.failure', { hasText: `ValueError: ${hostile}` }).waitFor();
    await page.locator('.stopCard.failure').waitFor();
    await shoot(page, 'debugFailure');
    await page.keyboard.press('Shift+F5');
    await page.locator('.viewHeader .badge', { hasText: 'ended' }).waitFor();
    await expect
      .poll(heardBy(agent), { timeout: 10_000 })
      .toMatch(/a person .*ran towards line 14 to main\.py:14.*jumped.*stopped the debug session/);
    expect(await page.title()).not.toContain('1337');
    expect(opened.complaints).toEqual([]);
  });
});
