import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { surelyLooseFiles } from '../../src/engine/code/servers/typescript/looseFiles.ts';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { removeDirectory, temporaryProject } from '../harness/temporary.ts';

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

const user = (name: string): string =>
  `const { shared } = require('../lib/shared')\nexports.${name} = () => shared()\n`;
const users = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`src/user${index}.js`, user(`use${index}`)] as const),
);

async function usesOfShared(agent: TestClient): Promise<{ count: unknown; files: string[]; index: unknown }> {
  const data = await agent.data('ide_find_references', { symbol: 'lib/shared.js#shared', max_chars: 20_000 });
  const files = data['files'] as { file: string }[];
  return { count: data['totalCount'], files: files.map(({ file }) => file).sort(), index: data['index'] };
}

it('knows plain JavaScript that no configuration covers as one project, while files and configurations come and go', async () => {
  ide = await startSightline({
    project: {
      'package.json': '{}',
      // Covers the types only, as in packages that are written in JavaScript.
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', types: [] } }),
      'types/index.d.ts': 'export function shared(): number;\n',
      'lib/shared.js': 'exports.shared = function shared() { return 1 }\n',
      ...users,
    },
  });
  const agent = await ide.connect({ face: 'index' });
  const known = ['lib/shared.js', ...Object.keys(users)].sort();
  expect(await usesOfShared(agent)).toMatchObject({ files: known, index: { state: 'ready' } });

  await writeFile(join(ide.root, 'src/later.js'), user('later'));
  await rm(join(ide.root, 'src/user3.js'));
  const changed = [...known.filter((file) => file !== 'src/user3.js'), 'src/later.js'].sort();
  expect((await usesOfShared(agent)).files).toEqual(changed);

  // A configuration of the project's own takes the place of ours.
  await writeFile(join(ide.root, 'jsconfig.json'), JSON.stringify({ include: ['lib', 'src'] }));
  expect((await usesOfShared(agent)).files).toEqual(changed);
  await rm(join(ide.root, 'jsconfig.json'));
  expect((await usesOfShared(agent)).files).toEqual(changed);
  const problems = await agent.data('ide_analyze_code', {});
  expect(JSON.stringify(problems)).not.toContain('jsconfig');
});

it('leaves to the server which files a configuration means, where it may mean JavaScript', async () => {
  const root = await temporaryProject({
    'typed/tsconfig.json': '{}',
    'mixed/tsconfig.json': '{ "compilerOptions": { "allowJs": true } }',
    'unknown/tsconfig.json': '{ "extends": "@company/config" }',
  });
  const at = (path: string): string => join(root, path);
  const files = ['a.js', 'a.ts', 'typed/a.js', 'typed/a.ts', 'mixed/deep/a.js', 'unknown/a.js'].map(at);
  const configs = ['typed', 'mixed', 'unknown'].map((folder) => at(`${folder}/tsconfig.json`));
  expect(surelyLooseFiles(root, files, configs)).toEqual(['a.js', 'a.ts', 'typed/a.js'].map(at));
  await removeDirectory(root);
});
