import { mkdirSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

const oxfmt = fileURLToPath(new URL('../../node_modules/.bin/oxfmt', import.meta.url));
let ide: RunningSightline;
let agent: TestClient;
beforeAll(async () => {
  ide = await startSightline({
    project: {
      'package.json': '{"type":"module"}',
      'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true}}',
      '.oxfmtrc.json': '{"singleQuote":true}',
      'a.ts': 'export const a: number = 1;\n',
      'plain.txt': 'x  y\n',
    },
  });
  mkdirSync(join(ide.root, 'node_modules/.bin'), { recursive: true });
  await symlink(oxfmt, join(ide.root, 'node_modules/.bin/oxfmt'));
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

const read = (file: string) => readFile(join(ide.root, file), 'utf8');

describe('an edit with what may follow it', () => {
  it('is written in the form of the project, as one change that one undo takes back', async () => {
    await writeFile(join(ide.root, 'dos.ts'), 'export const x = 1;\r\n');
    const edited = await agent.data('edit_file', {
      file_path: 'dos.ts',
      old_text: 'x = 1',
      new_text: 'x   =   "one"',
      format: true,
    });
    expect(await read('dos.ts')).toBe("export const x = 'one';\r\n");
    expect(edited).toMatchObject({ changesCount: 1, diff: expect.stringContaining("+export const x = 'one';") });
    await agent.data('undo', { history_id: edited['historyId'] });
    expect(await read('dos.ts')).toBe('export const x = 1;\r\n');
    await agent.data('write_file', { file_path: 'new.ts', content: 'export  const y="z"', format: true });
    expect(await read('new.ts')).toBe("export const y = 'z';\n");
  });

  it('is written as it is when it cannot be formatted, and says why', async () => {
    const broken = await agent.data('write_file', {
      file_path: 'broken.ts',
      content: 'export const = ;\n',
      format: true,
    });
    expect(String(broken['notes'])).toContain('Not formatted: oxfmt failed');
    expect(await read('broken.ts')).toBe('export const = ;\n');
    const plain = await agent.data('edit_file', { file_path: 'plain.txt', old_text: 'x', new_text: 'z', format: true });
    expect(String(plain['notes'])).toContain('no formatter configured for plain.txt');
  });

  it('tells the errors that come and go with it', async () => {
    const wrong = { file_path: 'a.ts', old_text: '= 1', new_text: "= 'one'", check: true };
    const appeared = await agent.data('edit_file', wrong);
    expect(appeared).toMatchObject({ diagnostics: { appeared: [{ file: 'a.ts', line: 1 }], vanished: [] } });
    expect(String(appeared['notes'])).toContain('1 error that was not there before: a.ts:1');
    const right = await agent.data('write_file', { file_path: 'a.ts', content: 'export const a = 1;\n', check: true });
    expect(right).toMatchObject({ diagnostics: { appeared: [], vanished: [{ file: 'a.ts' }] } });
    const reader = await ide.connect({ face: 'all' });
    const well = { file_path: 'a.ts', old_text: 'a = 1', new_text: 'a = 2', check: true };
    expect(await reader.text('edit_file', well)).toContain('\nchecked: no errors\n');
    const fresh = await agent.data('write_file', {
      file_path: 'b.ts',
      content: 'export const b: string = 1;\n',
      check: true,
    });
    expect(fresh).toMatchObject({ created: true, diagnostics: { appeared: [{ file: 'b.ts' }] } });
    expect(await agent.data('write_file', { file_path: 'c.ts', content: '' })).not.toHaveProperty('diagnostics');
  });
});
