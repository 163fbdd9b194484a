import { readFile, symlink, writeFile } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

let ide: RunningSightline;
let agent: TestClient;
const messy = 'const a  =  "x"\nexport   {a}\n';
const oxfmt = fileURLToPath(new URL('../../node_modules/.bin/oxfmt', import.meta.url));

beforeAll(async () => {
  await ensureEngine('ruff');
  ide = await startSightline({
    project: {
      'package.json': '{"type":"module"}',
      '.oxfmtrc.json': '{"singleQuote":true}',
      'a.ts': messy,
      'b.ts':
        "import { readFileSync, existsSync } from 'node:fs';\nimport { a } from './a';\nconsole.log(existsSync('x'));\n",
      'c.py': 'import sys\nimport os\nx = {  "a":1 }\nprint(os.sep,x)\n',
      'd.txt': 'plain',
    },
    env: { SIGHTLINE_CACHE: testCacheDir },
  });
  mkdirSync(join(ide.root, 'node_modules/.bin'), { recursive: true });
  await symlink(oxfmt, join(ide.root, 'node_modules/.bin/oxfmt'));
  agent = await ide.connect({ face: 'workspace' });
});
afterAll(() => ide.dispose());

const read = (name: string) => readFile(join(ide.root, name), 'utf8');

describe('formatting', () => {
  it('uses the formatter the project is configured for, and undo takes it back', async () => {
    const done = await agent.data('format_code', { file_path: 'a.ts' });
    expect(done).toMatchObject({ formatted: [{ file: 'a.ts', formatter: 'oxfmt', changed: true }] });
    expect(await read('a.ts')).toBe("const a = 'x';\nexport { a };\n");
    await agent.data('undo', { history_id: done['historyId'] });
    expect(await read('a.ts')).toBe(messy);
  });

  it('formats Python with Ruff and sorts its imports', async () => {
    expect(await agent.data('optimize_imports', { file_path: 'c.py' })).toMatchObject({
      formatted: [{ formatter: 'Ruff' }],
    });
    expect(await read('c.py')).toMatch(/^import os\n+x =/);
    await agent.data('format_code', { file_path: 'c.py' });
    expect(await read('c.py')).toContain('x = {"a": 1}\nprint(os.sep, x)\n');
  });

  it('sorts and drops imports of TypeScript', async () => {
    expect(await agent.data('optimize_imports', { file_path: 'b.ts' })).toMatchObject({
      formatted: [{ formatter: 'TypeScript' }],
    });
    expect(await read('b.ts')).toBe("import { existsSync } from 'node:fs';\nconsole.log(existsSync('x'));\n");
  });

  it('says what is missing for files it has nothing for, and what is wrong with a file that does not parse', async () => {
    expect((await agent.call('format_code', { file_path: 'd.txt' })).error).toMatchObject({ name: 'unsupported' });
    await writeFile(join(ide.root, 'broken.py'), 'def (:\n');
    const { error } = await agent.call('format_code', { file_path: 'broken.py' });
    expect(error).toMatchObject({ name: 'command_failed' });
    expect(await read('broken.py')).toBe('def (:\n');
  });

  it('formats all files the client changed when none is named', async () => {
    const fresh = await ide.connect({ face: 'workspace', name: 'fresh' });
    expect((await fresh.call('format_code')).error).toMatchObject({ name: 'invalid_arguments' });
    await fresh.data('write_file', { file_path: 'e.ts', content: messy });
    expect(await fresh.data('format_code')).toMatchObject({ affectedFiles: ['e.ts'] });
    await fresh.close();
  });

  it('runs no formatter of a project that is not trusted', async () => {
    const other = await startSightline({
      project: { 'package.json': '{}', '.oxfmtrc.json': '{}', 'a.ts': messy },
      trusted: false,
    });
    try {
      mkdirSync(join(other.root, 'node_modules/.bin'), { recursive: true });
      await symlink(oxfmt, join(other.root, 'node_modules/.bin/oxfmt'));
      const client = await other.connect({ face: 'workspace' });
      expect((await client.call('format_code', { file_path: 'a.ts' })).error).toMatchObject({
        name: 'project_not_trusted',
      });
      await client.close();
    } finally {
      await other.dispose();
    }
  });
});

describe('lines, line ends and formatters that misbehave', () => {
  const formatted = async (name: string, content: string, lines?: [number, number]) => {
    await writeFile(join(ide.root, name), content);
    const range = lines === undefined ? {} : { start_line: lines[0], end_line: lines[1] };
    return { answer: await agent.call('format_code', { file_path: name, ...range }), now: await read(name) };
  };

  it('formats only the lines asked for, whatever their line ends', async () => {
    const dos = 'const a  =  "x"\r\n\r\nconst b  =  "y"\r\n\r\nexport   {a,b}\r\n';
    expect((await formatted('dos.ts', dos, [3, 3])).now).toBe(
      'const a  =  "x"\r\n\r\nconst b = \'y\';\r\n\r\nexport   {a,b}\r\n',
    );
    const whole = await formatted('dos.ts', "const a = 'x';\r\nexport { a };\r\n");
    expect(whole.answer.data).toMatchObject({ formatted: [{ changed: false }], affectedFiles: [] });
    expect(whole.now).toBe("const a = 'x';\r\nexport { a };\r\n");
  });

  it('never takes half of a change that belongs together', async () => {
    const wrapped = 'export const a = (`\nsame\nsame\nsame\nsame\nsame\nsame\n`);\nexport const c   = 1;\n';
    const half = await formatted('wrapped.ts', wrapped, [1, 1]);
    expect(half.answer.error).toMatchObject({ name: 'unsupported', message: expect.stringContaining('Lines 1-1') });
    expect(half.now).toBe(wrapped);
    expect((await formatted('wrapped.ts', wrapped, [9, 9])).now).toBe(wrapped.replace('c   =', 'c ='));
  });

  it('refuses lines that make no sense, and says what would', async () => {
    expect((await formatted('l.ts', messy, [9, 9])).answer.error?.message).toContain('has 2 lines');
    expect((await formatted('l.ts', messy, [2, 1])).answer.error).toMatchObject({ name: 'invalid_arguments' });
    expect((await agent.call('format_code', { start_line: 1 })).error?.hint).toContain('file_path');
    await agent.data('format_code', { file_path: 'l.ts', end_line: 1 });
    expect(await read('l.ts')).toBe(`const a = 'x';\nexport   {a}\n`);
  });

  it('uses no other formatter in place of the one that is configured and missing, nor a result that is empty', async () => {
    mkdirSync(join(ide.root, 'blackish'));
    await writeFile(join(ide.root, 'blackish/pyproject.toml'), '[tool.black]\nline-length = 40\n');
    const missing = await formatted('blackish/a.py', 'x = {  "a":1 }\n');
    expect(missing.answer.error).toMatchObject({
      name: 'engine_missing',
      message: expect.stringContaining('Black, which the project uses'),
    });
    mkdirSync(join(ide.root, 'mute/node_modules/.bin'), { recursive: true });
    await writeFile(join(ide.root, 'mute/.prettierrc'), '{}');
    await writeFile(join(ide.root, 'mute/node_modules/.bin/prettier'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const empty = await formatted('mute/a.ts', messy);
    expect(empty.answer.error).toMatchObject({
      name: 'command_failed',
      message: 'Prettier wrote nothing for mute/a.ts.',
    });
    expect(empty.now).toBe(messy);
    expect((await agent.call('optimize_imports', { file_path: 'd.txt' })).error?.hint).toContain('Python');
  });

  it('prefers what the project has installed to what is on the machine', async () => {
    mkdirSync(join(ide.root, '.venv/bin'), { recursive: true });
    await writeFile(join(ide.root, '.venv/bin/black'), '#!/bin/sh\necho "# by black"\n', { mode: 0o755 });
    expect((await formatted('own.py', 'x=1\n')).answer.data).toMatchObject({ formatted: [{ formatter: 'Black' }] });
    expect(await read('own.py')).toBe('# by black\n');
  });

  it('records what a formatter writes by itself', async () => {
    mkdirSync(join(ide.root, 'side/node_modules/.bin'), { recursive: true });
    await writeFile(join(ide.root, 'side/.prettierrc'), '{}');
    await writeFile(join(ide.root, 'side/other.txt'), 'mine\n');
    const program = '#!/bin/sh\necho theirs > side/other.txt\ncat\n';
    await writeFile(join(ide.root, 'side/node_modules/.bin/prettier'), program, { mode: 0o755 });
    await formatted('side/a.ts', 'const tidy = 1;\n');
    const { changes } = await agent.data('list_changes', { limit: 1 });
    expect(changes).toMatchObject([{ tool: 'format_code', observed: true, files: ['side/other.txt'] }]);
    await agent.data('undo');
    expect(await read('side/other.txt')).toBe('mine\n');
  });
});
