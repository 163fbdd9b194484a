import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json': '{}',
      'a.ts': 'const a = 1;\nconst b = 2;\nlog(a);\nlog(a);\n',
      'dos.txt': 'one\r\ntwo\r\n',
    },
  });
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

const read = (path: string) => readFile(join(ide.root, path), 'utf8');

describe('editing tools', () => {
  it('write_file creates and overwrites, tells the version, and undo takes both back', async () => {
    const created = await agent.data('write_file', { file_path: 'new/x.txt', content: 'hello\n' });
    expect(created).toMatchObject({ file: 'new/x.txt', created: true, changed: true, affectedFiles: ['new/x.txt'] });
    const again = await agent.data('write_file', {
      file_path: 'new/x.txt',
      content: 'hello world\n',
      version: created['version'],
    });
    expect(again).toMatchObject({ created: false, diff: expect.stringContaining('-hello\n+hello world') });
    const stale = await agent.call('write_file', { file_path: 'new/x.txt', content: 'x', version: created['version'] });
    expect(stale.error).toMatchObject({ name: 'file_changed' });
    const undone = await agent.data('undo', { history_id: again['historyId'] });
    expect(undone).toMatchObject({ affectedFiles: ['new/x.txt'] });
    expect(await read('new/x.txt')).toBe('hello\n');
    await agent.data('undo');
    await expect(read('new/x.txt')).rejects.toThrow('ENOENT');
    // The undo can be undone.
    const changes = await agent.data('list_changes', { limit: 1 });
    const [last] = changes['changes'] as { historyId: string; tool: string }[];
    expect(last).toMatchObject({ tool: 'undo' });
    await agent.data('undo', { history_id: last?.historyId });
    expect(await read('new/x.txt')).toBe('hello\n');
  });

  it('edit_file replaces text that occurs once, and keeps mode and line ends', async () => {
    await chmod(join(ide.root, 'dos.txt'), 0o755);
    await agent.data('edit_file', { file_path: 'dos.txt', old_text: 'one\ntwo', new_text: 'ONE\nand\ntwo' });
    expect(await read('dos.txt')).toBe('ONE\r\nand\r\ntwo\r\n');
    expect((await stat(join(ide.root, 'dos.txt'))).mode & 0o777).toBe(0o755);
  });

  it('edit_file refuses text that occurs twice, tells where, and does all when told', async () => {
    const twice = await agent.call('edit_file', { file_path: 'a.ts', old_text: 'log(a);', new_text: 'log(b);' });
    expect(twice.error).toMatchObject({ name: 'edit_conflict', data: { lines: [3, 4] } });
    const all = await agent.data('edit_file', {
      file_path: 'a.ts',
      old_text: 'log(a);',
      new_text: 'log(b);',
      replace_all: true,
    });
    expect(all).toMatchObject({ changesCount: 2 });
    expect(await read('a.ts')).toBe('const a = 1;\nconst b = 2;\nlog(b);\nlog(b);\n');
  });

  it('edit_file shows what stands there instead of a near miss', async () => {
    const spaces = await agent.call('edit_file', {
      file_path: 'a.ts',
      old_text: 'const  a = 1;\n  const b = 2;',
      new_text: '',
    });
    expect(spaces.error).toMatchObject({
      name: 'text_not_found',
      message: expect.stringContaining('white space'),
      data: { line: 1, endLine: 2, text: 'const a = 1;\nconst b = 2;' },
    });
    const typo = await agent.call('edit_file', { file_path: 'a.ts', old_text: 'const bee = 2;', new_text: '' });
    expect(typo.error).toMatchObject({ name: 'text_not_found', data: { line: 2 } });
    const nothing = await agent.call('edit_file', { file_path: 'a.ts', old_text: 'utterly different', new_text: '' });
    expect(nothing.error).toMatchObject({ name: 'text_not_found' });
    expect(nothing.error?.data).toBeUndefined();
  });

  it('makes several edits in several files as one change, each seeing those before it, or none of them', async () => {
    const edits = [
      { file_path: 'a.ts', old_text: 'const b = 2;', new_text: 'const b = 3;\nconst c = 4;' },
      { file_path: 'dos.txt', old_text: 'two', new_text: 'three' },
      { file_path: 'a.ts', old_text: 'const c = 4;', new_text: 'const c = 5;' },
    ];
    const before = [await read('a.ts'), await read('dos.txt')];
    const wrong = await agent.call('edit_file', {
      edits: [...edits, { file_path: 'a.ts', old_text: 'nowhere', new_text: '' }],
    });
    expect(wrong.error).toMatchObject({ name: 'text_not_found' });
    expect(wrong.error?.message).toMatch(/^Edit 4 of 4: .*Nothing was changed/);
    expect([await read('a.ts'), await read('dos.txt')]).toEqual(before);
    const done = await agent.data('edit_file', { edits });
    expect(done).toMatchObject({ changesCount: 3, affectedFiles: ['a.ts', 'dos.txt'] });
    expect(await read('a.ts')).toContain('const b = 3;\nconst c = 5;');
    expect(await read('dos.txt')).toContain('three\r\n');
    await agent.data('undo', { history_id: done['historyId'] });
    expect([await read('a.ts'), await read('dos.txt')]).toEqual(before);
    const empty = await agent.call('edit_file', { file_path: 'a.ts' });
    expect(empty.error).toMatchObject({ name: 'invalid_arguments', hint: expect.stringContaining('edits: [') });
    const versioned = await agent.call('edit_file', { edits, version: '0123456789abcdef' });
    expect(versioned.error?.message).toContain('edits several');
  });

  it('undo refuses to lose later work and says what it is', async () => {
    const { historyId } = await agent.data('write_file', { file_path: 'c.txt', content: 'c1' });
    await writeFile(join(ide.root, 'c.txt'), 'by hand');
    const { error } = await agent.call('undo', { history_id: historyId });
    expect(error).toMatchObject({ name: 'undo_conflict', message: expect.stringContaining('c.txt') });
    expect(await read('c.txt')).toBe('by hand');
  });

  it('answers as a model reads them: short, with the state now and the next step', async () => {
    const model = await ide.connect({ face: 'workspace', output: 'text' });
    const ask = async (tool: string, args: Record<string, unknown>) => (await model.call(tool, args)).text;
    await writeFile(join(ide.root, 'empty.txt'), '');
    await writeFile(join(ide.root, 'x.bin'), Buffer.from([0, 1, 2, 255]));
    await writeFile(join(ide.root, 'latin.txt'), Buffer.from('caf\xe9\r\nna\xefve\r\n', 'latin1'));
    await writeFile(join(ide.root, 'near.ts'), 'const near = 1;\n');
    expect(await ask('read_file', { file_path: 'empty.txt' })).toMatch(/^empty\.txt is empty, version \w{16}$/);
    expect(await ask('read_file', { file_path: 'latin.txt' })).toMatch(
      /^latin\.txt, lines 1-2 of 2, version \w{16}, latin1, CRLF\n1\tcafé\n2\tnaïve\n$/,
    );
    await writeFile(join(ide.root, 'mixed.txt'), 'a\r\nb\nc\r\n');
    await writeFile(join(ide.root, 'old.txt'), 'a\rb\r');
    expect(await ask('read_file', { file_path: 'mixed.txt' })).toMatch(/, mixed line ends\n1\ta\n2\tb\n3\tc\n$/);
    expect(await ask('read_file', { file_path: 'old.txt' })).toMatch(/, CR line ends\n1\ta\n2\tb\n$/);
    expect(await ask('edit_file', { file_path: 'near.ts', old_text: 'const neer = 1;', new_text: 'x' })).toMatch(
      /what stands at line 1 is the nearest \(\d+ % alike\)\. Nothing was changed\.\nIf that is meant/,
    );
    expect(await ask('edit_file', { file_path: 'near.ts', old_text: 'near', new_text: 'near' })).toContain(
      'The new text is the same as the old. Nothing was changed.',
    );
    expect(await ask('edit_file', { file_path: 'empty.txt', old_text: 'a', new_text: 'b' })).toContain(
      "empty.txt is empty. Nothing was changed.\nSightline's write_file writes a whole file.",
    );
    expect(await ask('edit_file', { file_path: 'x.bin', old_text: 'a', new_text: 'b' })).toContain(
      'x.bin is not text. Nothing was changed.',
    );
    for (const file of ['one.txt', 'two.txt']) await ask('write_file', { file_path: file, content: 'x' });
    expect(await ask('format_code', {})).toBe('No file was changed.\none.txt, two.txt: nothing is configured for it');
    await model.close();
  });

  it('writes whole characters only, and names a difference that is too long to be shown', async () => {
    for (const [tool, args] of [
      ['write_file', { file_path: 'half.txt', content: 'a\ud800b' }],
      ['edit_file', { file_path: 'dos.txt', old_text: 'and', new_text: '\udc00' }],
    ] as const)
      expect((await agent.call(tool, args)).error).toMatchObject({
        name: 'invalid_arguments',
        message: expect.stringContaining('half of a surrogate pair'),
      });
    const model = await ide.connect({ face: 'workspace', output: 'text' });
    const long = (word: string) => `${word}\n`.repeat(20_000);
    const created = await model.call('write_file', { file_path: 'long.txt', content: long('a') });
    expect(created.text).not.toContain('too long');
    const edited = await model.call('edit_file', {
      file_path: 'long.txt',
      old_text: 'a',
      new_text: '\ud83d\ude00',
      replace_all: true,
    });
    expect(edited.text).toContain('(too long to be shown: the difference of long.txt)');
    await model.close();
  });

  it('tells what is in the way of an undo so that it can be read, and whose a change is', async () => {
    const model = await ide.connect({ face: 'workspace', output: 'text', name: 'reader' });
    const ask = async (tool: string, args: Record<string, unknown>) => (await model.call(tool, args)).text;
    await ask('write_file', { file_path: 'u.txt', content: 'one\n' });
    await ask('write_file', { file_path: 'u.txt', content: 'two\n' });
    await writeFile(join(ide.root, 'u.txt'), 'two\nby hand\n');
    expect(await ask('undo', {})).toContain(
      'u.txt changed since\nchangeMade:\n@@ -1 +1 @@\n-one\n+two\nmadeSince:\n@@ -1 +1,2 @@\n two\n+by hand',
    );
    await writeFile(join(ide.root, 'u.txt'), 'one\n');
    expect(await ask('undo', {})).toMatch(
      /^Took back write u\.txt \(\w+\)\. Its files were as before already\.\nhistory: /,
    );
    await agent.data('write_file', { file_path: 'u.txt', content: 'three\n' });
    const listed = await ask('list_changes', { limit: 3 });
    expect(listed).toMatch(
      /\d\dZ  write u\.txt by harness 1 \(client_[\w-]+\)\n.*  undo of write u\.txt by reader 1 \(/,
    );
    expect(await ask('undo', { client: 'reader', since: '2020-01-01' })).toContain('u.txt moved on since');
    expect(await ask('undo', { history_id: 'x', client: 'reader' })).toContain('Pass one or the other.');
    await model.close();
  });
});
