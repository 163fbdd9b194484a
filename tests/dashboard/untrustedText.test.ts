import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';
import { openDashboard, startBrowser } from './browser.ts';

let ide: RunningSightline;
let browser: Browser;

beforeAll(async () => {
  await builtProgram();
  ide = await startSightline({ project: { 'package.json': '{}' } });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await ide.dispose();
});

const run = 'globalThis.__ran=1';
const corpus = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `"><svg/onload=${run}>`,
  `javascript:${run}`,
  `{{constructor.constructor('${run}')()}}`,
  `</pre></textarea><iframe srcdoc="<script>parent.${run}</script>">`,
  `\u001b]8;;javascript:${run}\u0007click\u001b]8;;\u0007`,
  `\u202egnp.exe\u202c and \u200bhidden\u2066`,
];

test('text of projects, agents and errors is text in every place that shows it', async () => {
  const texts = corpus.map((text) => text.replaceAll('/', '∕'));
  for (const [index, text] of texts.entries()) {
    mkdirSync(join(ide.root, 'd'), { recursive: true });
    // Names of files take neither a slash nor a NUL; everything else they take.
    writeFileSync(join(ide.root, 'd', `${index}${text.slice(0, 60)}`), corpus[index] ?? '');
  }
  const agent = await ide.connect({ name: corpus[1] });
  for (const [index, text] of corpus.entries()) {
    await agent.call('read_file', { file_path: `d/${index}${texts[index]?.slice(0, 60)}` });
    await agent.call('read_file', { file_path: text });
    await agent.call('search_text', { query: text });
    await agent.call('write_file', { file_path: `d/w${index}`, content: text });
  }
  await agent.call('list_project_files', {});
  const worker = await ide.connect({ face: 'workspace' });
  await worker.call('run_command', { command: 'cat d/w*' });
  await worker.call('run_in_terminal', { command: 'cat d/w*' });
  const asked = agent.call('write_file', { file_path: '.vscode/tasks.json', content: corpus.join('\n') });
  ide.sightline.notifications.add({ level: 'error', source: corpus[0] ?? '', message: corpus.join(' ') });
  ide.sightline.logger.warn(corpus.join(' '));

  const { page, complaints } = await openDashboard(browser, ide);
  page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  const rows = page.getByRole('listbox', { name: 'Calls' }).getByRole('option');
  await rows.first().waitFor();
  await page.getByRole('listbox', { name: 'Calls' }).focus();
  await page.keyboard.press('Home');
  // Each call in the pane, in every form that it has.
  for (let call = 0; call < corpus.length * 4; call++) {
    const tabs = page.getByRole('region', { name: 'Call' }).getByRole('tab');
    await tabs.first().waitFor();
    for (const tab of await tabs.all()) await tab.click();
    const address = page.url();
    await page.getByRole('listbox', { name: 'Calls' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url()).not.toBe(address);
  }
  await page.getByRole('button', { name: 'Totals' }).click();
  await page.locator('.chip').first().click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const views = page.getByRole('navigation', { name: 'Views' }).getByRole('link');
  for (const view of await views.all()) await view.click();
  await views.filter({ hasText: 'Changes' }).click();
  await page.locator('.plus .lineText', { hasText: '<script>' }).first().waitFor();
  await views.filter({ hasText: 'Terminals' }).click();
  await page.locator('.xterm-rows', { hasText: 'onerror=' }).waitFor();
  await views.filter({ hasText: 'Tests and jobs' }).click();
  await page.getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.locator('.jobOutput', { hasText: 'onerror=' }).waitFor();
  await page.getByRole('link', { name: 'Health' }).click();
  for (const tab of await page.getByRole('tab').all()) await tab.click();
  await page.getByRole('log').getByText('onerror').first().waitFor();
  await page.getByRole('link', { name: 'Needs you' }).click();
  await page.getByText('+<script>').waitFor();
  // What cannot be seen is shown, so that it poses as nothing else.
  await expect.poll(() => page.locator('.question').innerText()).toContain('\\u202e');
  expect(await page.evaluate('globalThis.__ran')).toBeUndefined();
  expect(
    await page.evaluate("document.querySelectorAll('iframe, #app img, #app script, [onerror], [onload]').length"),
  ).toBe(0);
  expect(complaints).toEqual([]);
  await page.getByRole('button', { name: 'Deny…' }).click();
  await page.getByRole('button', { name: 'Deny', exact: true }).click();
  // The agent may have stopped waiting by then: how long all this takes is the machine's.
  await page.locator('.decided .badge', { hasText: 'denied' }).waitFor();
  expect((await asked).error?.name).toMatch(/^approval_(denied|pending)$/);
});

test('the page allows no script but its own, and nothing shows it in a frame', async () => {
  const answer = await fetch(`${ide.url}/dashboard`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
  expect(policy).not.toMatch(/unsafe|http:|\*/);
  expect(policy).toContain("frame-ancestors 'none'");
  const { page } = await openDashboard(browser, ide);
  const added = (text: string) => page.evaluate(text).catch((error: unknown) => String(error));
  expect(await added(`document.body.innerHTML = '<b>x</b>'`)).toContain("requires 'TrustedHTML'");
  expect(await added(`document.body.setAttribute('onclick', '${run}')`)).toContain("requires 'TrustedScript'");
});
