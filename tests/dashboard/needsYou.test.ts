import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';
import { seriousFindings } from './accessibility.ts';
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

const write = (name: string) => ({ file_path: `.vscode/${name}`, content: `{"tasks": [{"command": "${name}"}]}\n` });

test('a person answers for two agents, in two browsers at once', async () => {
  const [one, two] = [await ide.connect({ name: 'one' }), await ide.connect({ name: 'two' })];
  const first = await openDashboard(browser, ide, { path: 'needs-you' });
  const second = await openDashboard(browser, ide, { path: 'needs-you', theme: 'dark' });
  await first.page.getByText('Nothing waits for you').waitFor();
  expect(await seriousFindings(first.page)).toEqual([]);

  const denied = one.call('write_file', write('launch.json'));
  const approved = two.call('write_file', write('tasks.json'));
  const question = (page: typeof first.page, name: string) =>
    page.getByRole('article', { name: `${name} 1 wants write_file` });
  await question(first.page, 'one').getByText('"command": "launch.json"').waitFor();
  await question(second.page, 'two').getByText('+++ b/.vscode/tasks.json').waitFor();
  await expect.poll(() => first.page.title()).toBe('(2) Sightline');
  expect(await seriousFindings(second.page)).toEqual([]);

  await question(first.page, 'one').getByRole('button', { name: 'Deny…' }).click();
  await first.page.getByRole('textbox').fill('Ask me about the port first.');
  await question(first.page, 'one').getByRole('button', { name: 'Deny', exact: true }).click();
  expect((await denied).error).toMatchObject({
    name: 'approval_denied',
    message: expect.stringContaining('They say: Ask me about the port first.'),
  });
  await question(second.page, 'one').waitFor({ state: 'detached' });

  await question(second.page, 'two').getByRole('button', { name: 'Approve for this session' }).click();
  expect((await approved).error).toBeUndefined();
  expect(existsSync(join(ide.root, '.vscode/tasks.json'))).toBe(true);
  expect(existsSync(join(ide.root, '.vscode/launch.json'))).toBe(false);
  await expect.poll(() => first.page.title()).toBe('Sightline');

  // The same tool of the same client needs no second answer; another client does.
  expect((await two.call('write_file', write('settings.json'))).error).toBeUndefined();
  const asked = one.call('write_file', write('extensions.json'));
  await question(first.page, 'one').getByRole('button', { name: 'Approve once' }).click();
  expect((await asked).error).toBeUndefined();
  expect([...first.complaints, ...second.complaints]).toEqual([]);
});
