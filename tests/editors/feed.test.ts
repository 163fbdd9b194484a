import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { EditorBench } from './bench.ts';

/** What editors send, to the letter: the feed and the process behind it, driven by a client of the test's own. */
let program: string;
let bench: EditorBench;

beforeAll(async () => {
  program = await builtProgram();
}, 180_000);

beforeEach(async () => {
  bench = await EditorBench.start(program);
}, 60_000);

afterEach(() => bench.home.dispose());

const cart = 'export function price(items: number[]): number {\n  return items.length;\n}\n';
const note = (file: string, editor = 'Scripted') => `Read as unsaved in the editor: ${file} (${editor})`;

test('reads follow a buffer through changes, saving and closing, and say so while it is unsaved', async () => {
  const editor = await bench.editor('Scripted');
  editor.open('cart.ts', cart);
  expect(await bench.read('cart.ts')).not.toContain('unsaved');
  // Columns count UTF-16 units: the face takes two.
  editor.change('cart.ts', 2, { range: at(1, 2, 1, 2), text: '/* 😀 */ ' });
  editor.change('cart.ts', 3, { range: at(1, 10, 1, 11), text: '!' }, { range: at(0, 0, 0, 0), text: '// top\n' });
  const unsaved = await bench.readUntil('cart.ts', (text) => text.includes('// top'));
  expect(unsaved).toContain(note('cart.ts'));
  expect(unsaved).toContain('  /* 😀 */!return items.length;');
  const found = await bench.call('search_text', { pattern: 'items\\.length|// top', globs: ['*.ts'] });
  expect(found).toContain(note('cart.ts'));
  expect(found).toMatch(/cart\.ts[^]*1[^]*\/\/ top[^]*3[^]*!return items\.length/);
  // Another program writes a file that is open and untouched: the disk is right.
  editor.open('shop.ts', readFileSync(bench.path('shop.ts'), 'utf8'));
  // Messages come in their order: once this change is there, the file was opened as it is on disk.
  editor.change('cart.ts', 4, { range: at(0, 0, 0, 0), text: '// more\n' });
  await bench.readUntil('cart.ts', (text) => text.includes('// more'));
  writeFileSync(bench.path('shop.ts'), 'export const closed = true;\n');
  expect(await bench.read('shop.ts')).toContain('closed = true');
  // Saved: what the editor wrote is the file.
  writeFileSync(bench.path('cart.ts'), `// top\n${cart}`);
  editor.change('cart.ts', 5, { text: `// top\n${cart}` });
  editor.save('cart.ts');
  const saved = await bench.readUntil('cart.ts', (text) => !text.includes('😀') && !text.includes('unsaved'));
  expect(saved).toContain('// top');
  // Closed without saving: the disk again.
  editor.change('cart.ts', 6, { text: 'nothing\n' });
  expect(await bench.readUntil('cart.ts', (text) => text.includes('nothing'))).toContain('unsaved');
  editor.close('cart.ts');
  expect(await bench.readUntil('cart.ts', (text) => !text.includes('nothing'))).not.toContain('unsaved');
}, 90_000);

test('messages in the wrong order, about unknown files and from outside do no harm', async () => {
  const editor = await bench.editor('Scripted');
  const outside = join(bench.home.home, 'outside.txt');
  writeFileSync(outside, 'on disk\n');
  editor.open(outside, 'secret of the editor\n');
  editor.open('untitled:Untitled-1', 'no file\n');
  editor.change('never-opened.ts', 7, { text: 'x' });
  editor.save('never-opened.ts');
  editor.close('never-opened.ts');
  editor.open('cart.ts', cart, 5);
  editor.change('cart.ts', 6, { text: 'const six = 6;\n' });
  expect(await bench.readUntil('cart.ts', (text) => text.includes('six'))).toContain(note('cart.ts'));
  editor.change('cart.ts', 4, { range: at(0, 0, 0, 5), text: 'let' });
  const lost = await bench.readUntil('cart.ts', (text) => !text.includes('six'));
  expect(lost).toContain('Read as saved, though the editor has changes that did not arrive in order: cart.ts');
  const refused = await bench.call('edit_file', { file_path: 'cart.ts', old_text: 'length', new_text: 'at' });
  expect(refused).toContain('in the wrong order. Nothing was changed');
  editor.change('cart.ts', 8, { text: 'const eight = 8;\n' });
  expect(await bench.readUntil('cart.ts', (text) => text.includes('eight'))).toContain(note('cart.ts'));
  expect(await bench.read(outside)).not.toContain('secret');
  expect(readFileSync(bench.path('cart.ts'), 'utf8')).toBe(cart);
}, 90_000);

test('an edit of an unsaved file is made by its editor, or refused with the reason', async () => {
  const editor = await bench.editor('Scripted');
  let version = 2;
  editor.open('cart.ts', cart);
  editor.change('cart.ts', 2, { text: `// mine\n${cart}` });
  await bench.readUntil('cart.ts', (text) => text.includes('// mine'));
  const edit = (old_text: string, new_text: string) =>
    bench.call('edit_file', { file_path: 'cart.ts', old_text, new_text });
  editor.answering(() => ({ applied: false, failureReason: 'the buffer is read-only' }));
  expect(await edit('length', 'size')).toContain(
    'did not make the edit (the buffer is read-only). Nothing was changed',
  );
  editor.answering((_uri, edits) => {
    editor.change('cart.ts', ++version, ...edits.toReversed());
    return { applied: true };
  });
  expect(await edit('items.length', 'items.length + 1')).toContain('Made in the editor, not on disk');
  expect(editor.edits.at(-1)).toMatchObject({ version: 2, edits: [{ newText: '  return items.length + 1;\n' }] });
  expect(await bench.read('cart.ts')).toContain(
    '// mine\nexport function price(items: number[]): number {\n  return items.length + 1;',
  );
  expect(readFileSync(bench.path('cart.ts'), 'utf8')).toBe(cart);
  // One that says yes and does nothing is not believed.
  editor.answering(() => ({ applied: true }));
  expect(await edit('// mine', '// ours')).toContain('the text did not change as asked');
  expect(await bench.call('ide_refactor_rename', { file: 'cart.ts', new_name: 'basket.ts' })).toContain(
    'unsaved changes',
  );
  // Two editors: the later text is read, neither is overwritten.
  const second = await bench.editor('Second');
  second.open('cart.ts', cart);
  second.change('cart.ts', 2, { text: `// second\n${cart}` });
  expect(await bench.readUntil('cart.ts', (text) => text.includes('// second'))).toContain(note('cart.ts', 'Second'));
  expect(await edit('// second', '// x')).toContain('unsaved changes in two editors');
  second.child.kill('SIGKILL');
  expect(await bench.readUntil('cart.ts', (text) => text.includes('// mine'))).toContain(note('cart.ts'));
  editor.child.kill('SIGKILL');
  expect(await bench.readUntil('cart.ts', (text) => !text.includes('// mine'))).not.toContain('unsaved');
  expect(readFileSync(bench.path('cart.ts'), 'utf8')).toBe(cart);
}, 120_000);

function at(line: number, character: number, endLine: number, endCharacter: number) {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}
