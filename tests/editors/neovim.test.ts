import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram, eventually, processesOf } from '../support/program.ts';
import { EditorBench } from './bench.ts';
import { Neovim } from './neovim.ts';

/** An agent and a person in Neovim work on the same files. One after the other, as it would go. */
let bench: EditorBench;
let editor: Neovim;
const shop = "import { price } from './cart.ts';\n\nexport const paid = price([1, 2]);\n";

beforeAll(async () => {
  bench = await EditorBench.start(await builtProgram());
  await bench.call('ide_find_references', { file: 'cart.ts', line: 1, text: 'price' });
  editor = await Neovim.open(bench, 'shop.ts');
}, 240_000);

afterAll(() => bench.home.dispose());

const references = () => bench.call('ide_find_references', { file: 'cart.ts', line: 1, text: 'price' });

test('what is typed and not saved changes what reads, references and problems answer', async () => {
  const before = await references();
  expect(before).not.toContain('unsaved');
  expect(before).not.toContain('again');
  await editor.type('Goexport const again: string = price([3]);<Esc>');
  const read = await bench.readUntil('shop.ts', (text) => text.includes('again'));
  expect(read).toContain('Read as unsaved in the editor: shop.ts (Neovim)');
  const after = await references();
  expect(after).toContain('Read as unsaved in the editor: shop.ts (Neovim)');
  expect(after).toContain('again');
  const problems = await bench.call('get_problems', { file_path: 'shop.ts' });
  expect(problems).toContain("Type 'number' is not assignable to type 'string'");
  expect(problems).toContain('unsaved');
  expect(await bench.call('set_breakpoint', { file_path: 'shop.ts', line: 3 })).toContain(
    'unsaved changes in an editor',
  );
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
}, 120_000);

test('a rename changes the unsaved buffer in the editor and the rest on disk, and u takes it back there', async () => {
  const typed = await editor.text();
  const renamed = await bench.call('ide_refactor_rename', {
    file: 'cart.ts',
    line: 1,
    text: 'price',
    new_name: 'cost',
  });
  expect(renamed).toContain('Made in the editor, not on disk, since it has unsaved changes: shop.ts (Neovim)');
  expect(await editor.text()).toBe(typed.replaceAll('price', 'cost'));
  expect(readFileSync(bench.path('cart.ts'), 'utf8')).toContain('function cost(');
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toBe(shop);
  expect(await bench.read('shop.ts')).toContain('again: string = cost([3])');
  await editor.type('u');
  expect(await bench.readUntil('shop.ts', (text) => text.includes('price([3])'))).toContain('paid = price(');
  expect(await editor.text()).toBe(typed);
}, 120_000);

test('kill -9 of the process, of the feed or of the editor loses nothing', async () => {
  process.kill(bench.home.discovery().pid, 'SIGKILL');
  // The agent's next call starts another process; the feed finds it and tells it what is open.
  expect(await bench.readUntil('shop.ts', (text) => text.includes('again'))).toContain('(Neovim)');
  const feed = processesOf(bench.home.home).find(({ command }) => command.includes('editor-feed'));
  process.kill(feed?.pid ?? 0, 'SIGKILL');
  expect(await bench.readUntil('shop.ts', (text) => !text.includes('again'))).not.toContain('unsaved');
  expect(await editor.text()).toContain('again');
  await editor.lua('vim.cmd("write | edit!")');
  expect(await bench.readUntil('shop.ts', (text) => text.includes('again'))).not.toContain('unsaved');
  editor.child.kill('SIGKILL');
  const isGone = () => processesOf(bench.home.home).every(({ command }) => !command.includes('editor-feed'));
  expect(await eventually(isGone, 20_000)).toBe(true);
  expect(readFileSync(bench.path('shop.ts'), 'utf8')).toContain('again: string = price([3])');
}, 120_000);
