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
