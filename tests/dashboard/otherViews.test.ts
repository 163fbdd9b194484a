import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { type RunningSightline, startSightline } from '../harness/harness.ts';
import { openDashboard, startBrowser, type OpenedPage } from './browser.ts';
import { seriousFindings } from './accessibility.ts';
import { shoot, shootEnd } from './screenshots.ts';

const hostile = '<img src=x onerror=document.title=1337>';

describe('changes, tests, jobs and terminals', () => {
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

  /** Nothing of what a project or program says became more than text. */
  const expectHarmless = async () => {
    expect(await opened.page.title()).not.toContain('1337');
    expect(opened.complaints).toEqual([]);
  };

  it('reviews what an agent changed: accept, revert, comment, take back', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `const v${index + 1} = ${index + 1};`);
    ide = await startSightline({ project: { 'a.js': `${lines.join('\n')}\n` } });
    const agent = await ide.connect({ face: 'workspace' });
    opened = await openDashboard(browser, ide, { path: 'changes' });
    const { page } = opened;
    await page.getByText('Nothing differs here').waitFor();
    await agent.data('edit_file', {
      file_path: 'a.js',
      edits: [
        { old_text: 'const v3 = 3;', new_text: 'const v3 = 33;' },
        { old_text: 'const v25 = 25;', new_text: `const v25 = '${hostile}';` },
      ],
    });
    await agent.data('write_file', { file_path: 'new.js', content: 'export {};\n' });
    await page.locator('.hunk').nth(2).waitFor();
    await expect.poll(() => page.locator('.plus .lineText').allInnerTexts()).toContain(`const v25 = '${hostile}';`);

    // By key: the first hunk is accepted, the second reverted.
    await page.locator('.hunk').first().locator('header .muted').click();
    await page.keyboard.press('a');
    await page.locator('.hunk.accepted').waitFor();
    await page.locator('.hunk.chosen').filter({ hasText: 'v25' }).waitFor();
    await expect.poll(() => page.url()).toMatch(/\/changes\/all\/\w+$/);
    await page.keyboard.press('m');
    await page.getByLabel('Comment', { exact: true }).fill(`No ${hostile}, please.`);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('.commentRow', { hasText: hostile }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'changes');
    await page.keyboard.press('r');
    await expect.poll(() => readFile(join(ide.root, 'a.js'), 'utf8')).toContain('const v25 = 25;');
    expect(await readFile(join(ide.root, 'a.js'), 'utf8')).toContain('const v3 = 33;');
    await page.getByRole('button', { name: 'Send 1 comment' }).click();
    await page.getByRole('button', { name: 'Send 1 comment' }).waitFor({ state: 'detached' });
    const told = await agent.data('list_changes');
    expect(told['notes']).toEqual([
      'Note: Since your last call a person reverted your change to a.js at line 25.',
      expect.stringContaining(`A person reviewed the changes and has a comment:\na.js:25`),
    ]);

    // One call is taken back as a whole.
    await page.locator('.changeList button', { hasText: 'write new.js' }).click();
    await page.locator('.fileDiff', { hasText: 'new.js' }).waitFor();
    await page.getByRole('button', { name: 'Take all back' }).click();
    await page.locator('.changeList .undone').waitFor();
    await expect(readFile(join(ide.root, 'new.js'))).rejects.toThrow('ENOENT');
    await expectHarmless();
  });

  it('runs tests, shows failures with their difference, debugs one, and follows jobs', async () => {
    ide = await startSightline({
      project: {
        'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
        'sum.js': 'export function sum(a, b) {\n  if (a > 100) {\n    return 0;\n  }\n  return a + b + 1;\n}\n',
        'sum.test.js': `import test from 'node:test';
import assert from 'node:assert';
import { sum } from './sum.js';
test('adds ${hostile}', () => {
  assert.deepStrictEqual({ total: sum(1, 2) }, { total: 3 });
});
test('is there', () => {
  assert.ok(sum);
});
`,
      },
    });
    const agent = await ide.connect({ face: 'workspace' });
    opened = await openDashboard(browser, ide, { path: 'tests' });
    const { page } = opened;
    await page.getByText('No tests were run yet').waitFor();
    await page.getByLabel('with coverage').check();
    await page.getByRole('button', { name: 'Run all' }).click();
    const failed = page.locator('.testRow', { hasText: `adds ${hostile}` });
    await failed.waitFor();
    await page.getByText('1 failed, 1 passed of 2').waitFor();
    // Failed ones first.
    await expect.poll(() => page.locator('.testRow').first().innerText()).toContain('adds');
    await failed.click();
    await page.locator('.diffRemoved', { hasText: '3' }).first().waitFor();
    await page.locator('.diffAdded', { hasText: '4' }).first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'tests');
    const link = page.url();

    await page.getByRole('link', { name: 'Coverage' }).click();
    await page.locator('.coverage button', { hasText: 'sum.js' }).first().click();
    await page.locator('.uncovered', { hasText: 'return 0' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'coverage');

    await agent.data('run_command', {
      command: `node -e "console.log('${hostile.replaceAll('"', '')}'); setInterval(() => {}, 1000)"`,
      wait_ms: 0,
    });
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.locator('.jobOutput', { hasText: hostile }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'jobs');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.jobList .badge.bad').first().waitFor();

    // The link of a test leads to it; from there it is run until it fails, which it does at once, and debugged.
    await page.goto(link);
    await page.getByRole('button', { name: 'Run until it fails' }).click();
    await page.getByText('1 failed, 0 passed of 1').waitFor();
    await page.locator('.diffAdded', { hasText: '4' }).first().waitFor();
    await page.getByRole('button', { name: 'Debug this' }).click();
    await page.waitForURL(/\/debug\/session_/);
    await page.locator('.cm-line.currentLine').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.viewHeader .badge', { hasText: 'ended' }).waitFor();
    await expectHarmless();
  });

  it('opens terminals that a person types into, and sees those of agents', async () => {
    ide = await startSightline({ project: { 'a.txt': 'x\n' } });
    const agent = await ide.connect({ face: 'workspace' });
    opened = await openDashboard(browser, ide, { path: 'terminals' });
    const { page } = opened;
    await page.getByText('No terminal is open').waitFor();
    await page.getByRole('button', { name: 'New terminal' }).click();
    const rows = page.locator('.xterm-rows');
    await page.locator('.terminalTabs .badge', { hasText: 'idle' }).waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type(`echo "$((6*7)) ${hostile.replaceAll('"', '')}"`);
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: '42 <img' }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await shoot(page, 'terminals');

    // An agent's terminal, in which a password is asked for.
    await agent.data('run_in_terminal', {
      command: 'read -s -p "Password: " secret; echo "got ${#secret}"',
      wait_ms: 2000,
    });
    await page.getByRole('link', { name: /running/ }).click();
    await rows.filter({ hasText: 'Password:' }).waitFor();
    await page.locator('.terminalPane .banner', { hasText: 'asks for a password' }).waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('sesame');
    await page.keyboard.press('Enter');
    await rows.filter({ hasText: 'got 6' }).waitFor();
    let listed = '';
    await expect
      .poll(async () => (listed += JSON.stringify(await agent.data('list_terminals'))), { timeout: 10_000 })
      .toContain('a person typed into the terminal');
    expect(listed).not.toContain('sesame');
    await page.getByRole('button', { name: 'Close the terminal' }).click();
    await page.getByText('The shell has ended').waitFor();
    await expectHarmless();
  });
});
