import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from '../dashboard/browser.ts';
import { builtProgram } from '../support/program.ts';
import { EditorBench } from './bench.ts';
import { CodeServer } from './codeServer.ts';

/** An agent and a person in VS Code, as code-server, work on the same files. One after the other, as it would go. */
let bench: EditorBench;
let browser: Browser;
let editor: CodeServer;
let installation: { stdout: string; stderr: string };
const main = 'const items = [1, 2];\nlet sum = 0;\nfor (const item of items) sum += item;\nconsole.log(sum);\n';
const shop = "import { price } from './cart.ts';\n\nexport const paid = price([1, 2]);\n";

beforeAll(async () => {
  bench = await EditorBench.start(await builtProgram(), {}, (home) => CodeServer.prepare(home));
  writeFileSync(bench.path('main.js'), main);
  mkdirSync(bench.path('inner'));
  writeFileSync(bench.path('inner/package.json'), '{"name": "inner"}\n');
  const started = startBrowser();
  installation = await bench.home.run('install', 'vscode', '--yes');
  browser = await started;
  editor = await CodeServer.open(bench, browser);
  await editor.openFile('shop.ts');
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await bench?.home.dispose();
});

const note = 'Read as unsaved in the editor: shop.ts (code-server)';
const reads = (isSo: (text: string) => boolean) => bench.until(() => bench.read('shop.ts'), isSo, 60_000);
const references = () => bench.call('ide_find_references', { file: 'cart.ts', line: 1, text: 'price' });

test('sightline install vscode puts the extension beside the entry, and its window finds the process', async () => {
  expect(installation.stderr).toBe('');
  expect(installation.stdout).toMatch(/Its extension: \S+code-server --install-extension \S+sightline\.vsix --force\n/);
  expect(installation.stdout).toContain('code-server: the extension is in.');
  await bench.read('shop.ts');
  await editor.page.locator('.statusbar-item', { hasText: /Sightline$/ }).waitFor();
}, 180_000);

test('what is typed and not saved changes what reads, references and problems answer', async () => {
  expect(await references()).not.toContain('again');
  await editor.page.keyboard.press('Control+End');
  await editor.page.keyboard.type('export const again: string = price([3]);');
  expect(await reads((text) => text.includes('price([3]);'))).toContain(note);
  const after = await references();
  expect(after).toContain(note);
  expect(after).toContain('again');
  const problems = await bench.call('get_problems', { file_path: 'shop.ts' });
  expect(problems).toContain("Type 'number' is not assignable to type 'string'");
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
}, 180_000);

test('a rename changes the unsaved buffer in the editor and the rest on disk, and Ctrl+Z takes it back there', async () => {
  const typed = await editor.shows((text) => text.includes('price([3]);'));
  const target = { file: 'cart.ts', line: 1, text: 'price' };
  const renamed = await bench.call('ide_refactor_rename', { ...target, new_name: 'cost' });
  expect(renamed).toContain('Made in the editor, not on disk, since it has unsaved changes: shop.ts (code-server)');
  expect(await editor.shows((text) => text.includes('cost([3])'))).toBe(typed.replaceAll('price', 'cost'));
  expect(readFileSync(bench.path('cart.ts'), 'utf8')).toContain('function cost(');
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
  await editor.page.keyboard.press('Control+z');
  expect(await reads((text) => text.includes('price([3])'))).toContain('paid = price(');
  expect(await editor.shows((text) => text.includes('price([3])'))).toBe(typed);
}, 180_000);

test('a write to the unsaved file is made by the editor, or refused with the reason', async () => {
  const args = { file_path: 'shop.ts', old_text: 'again', new_text: 'once_more' };
  expect(await bench.call('edit_file', args)).toContain('Made in the editor, not on disk');
  expect(await editor.shows((text) => text.includes('once_more'))).toContain('once_more: string');
  await editor.page.keyboard.press('Control+z');
  expect(await reads((text) => text.includes('again'))).not.toContain('once_more');
  const moved = await bench.call('ide_refactor_rename', { file: 'shop.ts', new_name: 'store.ts' });
  expect(moved).toContain('unsaved changes in shop.ts');
  expect(moved).toContain('Nothing was changed');
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
}, 180_000);

test('breakpoints are shared in both directions', async () => {
  let answers = '';
  const dots = editor.page.locator('.editor-instance .codicon-debug-breakpoint');
  await editor.openFile('main.js');
  const set = await bench.call('set_breakpoint', { file_path: 'main.js', line: 4 });
  await dots.waitFor();
  await editor.page.keyboard.press('Control+Home');
  await editor.page.keyboard.press('ArrowDown');
  await editor.page.keyboard.press('F9');
  const list = async () => {
    const text = await bench.call('list_breakpoints');
    answers += text;
    return text;
  };
  expect(await bench.until(list, (text) => text.includes('main.js:2'), 60_000)).toContain('main.js:4');
  answers += await bench.call('remove_breakpoint', { breakpoint_id: /bp_\d+/.exec(set)?.[0] });
  await expect.poll(() => dots.count(), { timeout: 60_000 }).toBe(1);
  await editor.page.keyboard.press('F9');
  expect(await bench.until(list, (text) => !text.includes('main.js:2'), 60_000)).not.toContain('main.js');
  await expect.poll(() => dots.count(), { timeout: 60_000 }).toBe(0);
  // With whichever answer came next.
  expect(answers).toContain('a person set a breakpoint at main.js:2');
}, 180_000);

test('whoever follows the agent sees what it edits and where its program pauses', async () => {
  await bench.call('edit_file', { file_path: 'cart.ts', old_text: 'items.length', new_text: 'items.length + 0' });
  await expect.poll(() => editor.tab('main.js').isVisible()).toBe(true);
  await editor.clickStatus();
  await editor.status().locator('.codicon-eye').waitFor();
  await bench.call('edit_file', { file_path: 'cart.ts', old_text: 'items.length + 0', new_text: 'items.length' });
  await editor.tab('cart.ts').waitFor();
  const started = await bench.call('start_debug_session', {
    program: 'main.js',
    breakpoints: [{ file: 'main.js', line: 4 }],
  });
  expect(started).toContain('main.js:4');
  await editor.tab('main.js').waitFor();
  await editor.page.locator('.statusbar-item', { hasText: 'Sightline: paused' }).waitFor();
  await bench.call('stop_debug_session');
  await editor.page.locator('.statusbar-item', { hasText: /Sightline$/ }).waitFor();
  await editor.clickStatus();
  await editor.status().locator('.codicon-eye-closed').waitFor();
}, 180_000);

test('what waits for a person is asked here: approval of a call, trust in a project', async () => {
  const toast = (text: string) => editor.page.locator('.notification-toast', { hasText: text });
  const create = (name: string) => bench.call('create_run_configuration', { name, type: 'node', program: 'main.js' });
  const allowed = create('sum');
  await toast('create_run_configuration').getByRole('button', { name: 'Allow' }).click();
  expect(await allowed).toContain('Created "sum"');
  const denied = create('other');
  await toast('create_run_configuration').getByRole('button', { name: 'Deny' }).click();
  expect(await denied).toContain('refused');
  await bench.call('read_file', { project_path: bench.path('inner'), file_path: 'package.json' });
  await toast('inner').getByRole('button', { name: 'Trust' }).click();
  const trusted = await bench.until(
    async () => (await bench.home.run('trust', '--list')).stdout,
    (text) => text.includes('inner'),
  );
  expect(trusted).toContain('(editor');
}, 180_000);

test('the dashboard is a view of the editor', async () => {
  await editor.command('Sightline: Open Dashboard');
  const inside = editor.page.frameLocator('iframe.webview').frameLocator('iframe');
  await inside.locator('.stream.live').waitFor({ state: 'attached' });
  await inside.getByText('create_run_configuration').locator('visible=true').first().waitFor();
  await inside.locator('a[href="/dashboard/debug"]').click();
  await inside.locator('a[href="/dashboard/debug"][aria-current=page]').waitFor();
  // Its Install view knows this editor, and gives it the extension once more.
  await inside.locator('a[href="/dashboard/install"]').click();
  await inside.getByRole('button', { name: 'Install the extension for VS Code' }).click();
  const dialog = inside.getByRole('dialog', { name: 'Install in VS Code' });
  await dialog.getByText(/code-server --install-extension \S+sightline\.vsix --force/).waitFor();
  await dialog.getByRole('button', { name: 'Run this' }).click();
  await inside.getByText('code-server: the extension is in.').waitFor({ timeout: 150_000 });
}, 240_000);

test('kill -9 of the process or of the editor loses nothing', async () => {
  const isUnsaved = (text: string) => text.includes('again') && text.includes(note);
  await editor.page.locator('.tab', { hasText: 'shop.ts' }).click();
  process.kill(bench.home.discovery().pid, 'SIGKILL');
  // The agent's next call starts another process; the extension finds it and tells it what is open.
  expect(await reads(isUnsaved)).toContain(note);
  // What it would show again after a restart lies on disk a second after it was typed.
  const kept = () => Promise.resolve(editor.backups());
  expect(await bench.until(kept, (text) => text.includes('again'), 60_000)).toContain('again: string = price([3])');
  await editor.kill();
  expect(await reads((text) => !text.includes('again'))).not.toContain('unsaved');
  expect(editor.backups()).toContain('again: string = price([3])');
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
  // Started again it shows what was typed, still unsaved, and tells it anew.
  await editor.restart();
  await editor.page.locator('.tab.dirty', { hasText: 'shop.ts' }).click();
  expect(await editor.shows((text) => text.includes('again'))).toContain('again: string = price([3])');
  expect(await reads(isUnsaved)).toContain('again: string = price([3])');
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
}, 300_000);
