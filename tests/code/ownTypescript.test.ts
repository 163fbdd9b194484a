import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

/** TypeScript 6, which comes with Sightline under another name, stands for the version a project has installed. */
const classic = dirname(createRequire(import.meta.url).resolve('typescript-classic/package.json'));

/** TypeScript 7 does not read this type any more, and calls it a syntax error; 6 reads it and finds the real one. */
const files = {
  'package.json': '{"type":"module"}',
  'tsconfig.json':
    '{"compilerOptions":{"module":"nodenext","target":"es2022","allowJs":true,"checkJs":true,"noEmit":true,"strict":true,"types":[]}}',
  'a.js': '/** @type {function(string): number} */\nexport const f = (x) => x;\n',
  'b.js': "import { f } from './a.js';\nexport const y = f('');\n",
};

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

async function start(trusted: boolean): Promise<TestClient> {
  ide = await startSightline({ project: files, trusted });
  return ide.connect({ face: 'index' });
}

async function installOwn(): Promise<void> {
  await mkdir(join(ide?.root ?? '', 'node_modules'), { recursive: true });
  await symlink(classic, join(ide?.root ?? '', 'node_modules/typescript'));
}

async function problems(agent: TestClient): Promise<{ engines: unknown; found: string[] }> {
  const data = await agent.data('ide_analyze_code', {});
  const list = data['problems'] as { file: string; line: number; code: string; severity: string }[];
  const errors = list.filter(({ severity }) => severity.toLowerCase() === 'error');
  return { engines: data['engines'], found: errors.map(({ file, line, code }) => `${file}:${line} ${code}`).sort() };
}

describe('the version of TypeScript that decides', () => {
  it('is the bundled one where the project has none, and its own where it has one, as soon as it is installed', async () => {
    const agent = await start(true);
    const bundled = await problems(agent);
    expect(bundled.engines).toEqual(['typescript-go 7.0.2']);
    expect(bundled.found).toContain('a.js:1 1005');
    await installOwn();
    const own = await problems(agent);
    expect(own.engines).toEqual(["TypeScript 6.0.3 (the project's own)"]);
    expect(own.found).toEqual(['a.js:2 2322']);

    // Changes by other programs are seen, in dependents too.
    const root = ide?.root ?? '';
    await writeFile(join(root, 'a.js'), '/** @type {function(number): number} */\nexport const f = (x) => x;\n');
    expect((await problems(agent)).found).toEqual(['b.js:2 2345']);
    await writeFile(join(root, 'b.js'), "import { f } from './a.js';\nexport const y = f(1);\n");
    expect((await problems(agent)).found).toEqual([]);
    await rm(join(root, 'a.js'));
    expect((await problems(agent)).found).toEqual(['b.js:1 2307']);
  });

  it('is never the own one of a project that nobody trusts, and the answer says so', async () => {
    const agent = await start(false);
    await installOwn();
    const { engines, found } = await problems(agent);
    expect(engines).toEqual(["TypeScript 7.0.2 (the project's own is 6.0.3; it runs only in a trusted project)"]);
    expect(found).toContain('a.js:1 1005');
  });
});
