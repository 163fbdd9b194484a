import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mustBeRunning } from '../../src/cli/sharedClient.ts';
import type { ControlClient } from '../../src/server/daemon/controlClient.ts';
import { hostedClients, putOnPath } from '../clients/acp/hostedClient.ts';
import { ClientHome } from '../clients/clientHome.ts';
import { ScriptedModel } from '../clients/model/scriptedModel.ts';
import { builtProgram } from '../support/program.ts';
import { openPage, startBrowser, type OpenedPage } from './browser.ts';
import { frame } from './screenshots.ts';

const cart = (discount: string, name: string) => `export function total(prices) {
  const sum = prices.reduce((all, price) => all + price, 0);
  return sum - discount(sum);
}

function discount(sum) {
  return sum > 100 ? ${discount} : 0;
}

// What the till prints.
export function line(item) {
  return item.name + ' ' + item.price;
}

export const currency = 'EUR';
export const ${name} = true;
`;
const files = {
  'package.json': '{"name": "shop", "type": "module"}\n',
  'cart.js': cart('sum / 100', 'rounded'),
  'cart.test.js': `import { test } from 'node:test';
import assert from 'node:assert';
import { total } from './cart.js';
test('ten percent off above 100', () => {
  assert.equal(total([100, 100]), 180);
});
`,
};

/** A person at the dashboard and a real command line, whose model follows a script. */
describe('a real agent in the dashboard', () => {
  let home: ClientHome;
  let model: ScriptedModel;
  let browser: Browser;
  let control: ControlClient;
  let opened: OpenedPage;

  beforeAll(async () => {
    const program = await builtProgram();
    home = await ClientHome.create(program, files);
    model = await ScriptedModel.start(({ tools }) => tools.length > 0);
    const gemini = hostedClients.find(({ agent }) => agent === 'gemini');
    if (gemini === undefined) throw new Error('no such client');
    const bin = join(home.home, 'bin');
    await putOnPath(gemini, home.home, bin, model.url);
    home.env['PATH'] = `${bin}:${home.env['PATH'] ?? ''}`;
    await home.run('start');
    const nowhere = () => undefined;
    control = await mustBeRunning({ cwd: home.project, env: home.env, entry: program, out: nowhere, err: nowhere });
    browser = await startBrowser();
    const [{ url: link }, { url }] = [await control.request('dashboardLink', {}), await control.request('status', {})];
    opened = await openPage(browser, { link, url: url ?? '' }, { path: 'agents' });
  });

  afterAll(async () => {
    await browser?.close();
    control?.dispose();
    await model?.dispose();
    await home?.dispose();
  });

  test('debugs a failing test, asks, edits; a person takes a hunk back and comments, and it is told', async () => {
    const { page } = opened;
    const probe = { tool: 'mcp_sightline_debug_probe', args: { program: 'cart.test.js' } };
    const fixed = cart('sum / 10', 'isRounded');
    const write = { tool: 'write_file', args: { file_path: join(home.project, 'cart.js'), content: fixed } };
    model.script = [{ calls: [probe] }, { calls: [write] }, { text: 'The discount was one percent.' }];
    await page.locator('.startAgent select').first().selectOption({ label: 'Gemini CLI' });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.thread > header .badge', { hasText: 'idle' }).waitFor({ timeout: 60_000 });
    const say = async (words: string) => {
      await page.getByLabel('Prompt', { exact: true }).fill(words);
      await page.getByLabel('Prompt', { exact: true }).press('Enter');
    };
    const allow = async (what: RegExp) => {
      await page.locator('.question', { hasText: what }).waitFor();
      await frame(page, 2.5);
      await page.locator('.question', { hasText: what }).getByRole('button', { name: 'Allow', exact: true }).click();
    };
    await frame(page, 1.5);
    await say('Why does the test of the cart fail?');
    await allow(/debug_probe/);
    await allow(/cart\.js/);
    await page.locator('.message.agent', { hasText: 'The discount was one percent.' }).waitFor();
    expect(home.file('cart.js')).toBe(fixed);
    await frame(page, 2.5);
    const results = () =>
      model.requests
        .at(-1)
        ?.results.flatMap(({ texts }) => texts)
        .join('\n') ?? '';
    expect(results()).toContain('198');

    await page.goto(`${new URL(page.url()).origin}/dashboard/changes`);
    const renamed = page.locator('.hunk', { hasText: 'isRounded' });
    await renamed.locator('header .muted').click();
    await page.keyboard.press('m');
    await page.getByLabel('Comment', { exact: true }).fill('Leave the name alone.');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('.commentRow').waitFor();
    await frame(page, 3);
    await page.keyboard.press('r');
    await expect.poll(() => home.file('cart.js')).toBe(cart('sum / 10', 'rounded'));
    await page.getByRole('button', { name: 'Send 1 comment' }).click();
    await page.getByRole('button', { name: 'Send 1 comment' }).waitFor({ state: 'detached' });
    await frame(page, 2);
    await page.locator('.hunk', { hasText: 'sum / 10' }).locator('header .muted').click();
    await page.keyboard.press('q');
    await page.getByText('No command line has Sightline as its IDE here').waitFor();

    model.script = [...model.script.slice(0, 2), { calls: [probe] }, { text: 'The name stays.' }];
    await page.goto(`${new URL(page.url()).origin}/dashboard/agents`);
    await page.getByRole('navigation', { name: 'Threads' }).getByRole('link').first().click();
    await say('Look again.');
    await allow(/debug_probe/);
    await page.locator('.message.agent', { hasText: 'The name stays.' }).waitFor();
    await frame(page, 3);
    expect(results()).toContain('a person reverted your change to cart.js');
    expect(results()).toContain('Leave the name alone.');
    expect(opened.complaints).toEqual([]);
  });
});
