import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  ide = await startSightline({ project: { 'package.json': '{}' } });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

async function edit(content: string, oldText: string, newText: string, more: Record<string, unknown> = {}) {
  await writeFile(join(ide.root, 'x.txt'), content);
  const { error } = await agent.call('edit_file', {
    file_path: 'x.txt',
    old_text: oldText,
    new_text: newText,
    ...more,
  });
  return { error, now: await readFile(join(ide.root, 'x.txt'), 'utf8') };
}

describe('edit_file and the text it is given', () => {
  it('finds text across the line ends of a file that mixes them, and keeps those of the place', async () => {
    const mixed = 'alpha\r\nbeta\ngamma\r\ndelta\nlast';
    expect((await edit(mixed, 'alpha\nbeta\ngamma', 'A\nB\nC\nD')).now).toBe('A\r\nB\r\nC\r\nD\r\ndelta\nlast');
    expect((await edit(mixed, 'delta', 'de\nlta')).now).toBe('alpha\r\nbeta\ngamma\r\nde\nlta\nlast');
    expect((await edit(mixed, 'gamma', 'ga\nmma')).now).toBe('alpha\r\nbeta\nga\r\nmma\r\ndelta\nlast');
    expect((await edit(mixed, 'alpha\r\nbeta', 'x')).now).toBe('x\ngamma\r\ndelta\nlast');
    expect((await edit('a.b\r\n(c)\nx\r\n', 'a.b\n(c)\nx', '$&')).now).toBe('$&\r\n');
  });

  it('keeps line ends that are carriage returns', async () => {
    expect((await edit('one\rtwo\rthree\r', 'one\ntwo', 'ONE\nTWO\nx')).now).toBe('ONE\rTWO\rx\rthree\r');
    await agent.data('write_file', { file_path: 'x.txt', content: 'a\nb\n' });
    expect(await readFile(join(ide.root, 'x.txt'), 'utf8')).toBe('a\rb\r');
  });

  it('refuses text that occurs twice by overlapping itself', async () => {
    expect((await edit('aaa\n', 'aa', 'b')).error).toMatchObject({ name: 'edit_conflict' });
    expect((await edit('aaaa\n', 'aa', 'b', { replace_all: true })).now).toBe('bb\n');
  });

  it.each([
    [
      '\tif x:\n\t\ty()\n',
      '    if x:\n        y()',
      '\tif x:\n\t\ty()',
      'white space (first: a tab in the file, a space',
    ],
    ['go(a,b)\n', 'go(a, b)', 'go(a,b)', 'white space (first: "b" in the file, a space in old_text)'],
    ['a\u00a0b\n', 'a b', 'a\u00a0b', 'first: U+00A0 in the file'],
    ['one\ntwo', 'two\n', 'two', 'first: its end in the file, a line end in old_text'],
    ['one  \ntwo\n', 'one\ntwo', 'one  \ntwo', 'white space'],
    ['Log(a);\n', 'log(A);', 'Log(a);', 'upper and lower case'],
    ['say(‘hi’)\n', "say('hi')", 'say(‘hi’)', 'quotes'],
    ['cafe\u0301 au lait\n', 'café au lait', 'cafe\u0301 au lait', 'accents'],
    [`${'x'.repeat(600)} needle here ${'y'.repeat(600)}\n`, 'neadle here', 'needle here', '73 % alike'],
    ['x = 1\r\ny = 2\r\n', 'x=1\ny=2', 'x = 1\ny = 2', 'white space'],
  ])('shows what stands in %j instead of %j', async (content, wanted, text, difference) => {
    const { error, now } = await edit(content, wanted, 'new');
    expect(error).toMatchObject({
      name: 'text_not_found',
      message: expect.stringContaining(difference),
      data: { text },
    });
    expect(now).toBe(content);
    // What was shown is what the next call may pass.
    expect((await edit(content, text, 'new')).error).toBeUndefined();
  });

  it('says when there are several such places, and when escapes were escaped twice', async () => {
    expect((await edit('f(a,b)\nf(a,b)\n', 'f(a, b)', 'x')).error?.message).toContain('as in 1 more places');
    expect((await edit('one\ntwo\n', 'one\\ntwo', 'x')).error?.message).toContain('has escapes (such as \\n)');
    expect((await edit('a\u200bb\n', 'a\\u200bb', 'x')).error?.message).toContain('has escapes');
  });

  it('takes the names other editing tools use, and a version only as read_file gives it', async () => {
    await writeFile(join(ide.root, 'y.txt'), 'one\n');
    await agent.data('edit_file', { path: 'y.txt', old_string: 'one', new_string: 'two' });
    for (const version of ['', 'a', 'latest'])
      for (const [tool, args] of [
        ['edit_file', { old_text: 'two', new_text: 'three' }],
        ['write_file', { content: 'three' }],
      ] as const)
        expect((await agent.call(tool, { file_path: 'y.txt', version, ...args })).error).toMatchObject({
          name: 'invalid_arguments',
          message: expect.stringContaining('no version of a file'),
        });
    const gone = await agent.call('write_file', { file_path: 'z.txt', content: 'x', version: '0123456789abcdef' });
    expect(gone.error).toMatchObject({ name: 'file_changed', hint: expect.stringContaining('Leave version out') });
    expect((await agent.call('write_file', { file_path: '.', content: 'x' })).error?.message).not.toContain(ide.root);
  });
});
