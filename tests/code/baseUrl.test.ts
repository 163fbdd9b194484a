import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';

let ide: RunningSightline | undefined;
afterEach(async () => {
  await ide?.dispose();
  ide = undefined;
});

const options = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};
const config = (more: object): string => JSON.stringify({ compilerOptions: { ...options, ...more }, include: ['src'] });

async function usesOfOne(agent: TestClient): Promise<Record<string, number>> {
  const data = await agent.data('ide_find_references', { symbol: 'src/lib/one.ts#one' });
  expect(data['index']).toEqual({ state: 'ready' });
  const files = data['files'] as { file: string; count: number }[];
  return Object.fromEntries(files.map(({ file, count }) => [file, count]));
}

it('finds what is imported by baseUrl, which TypeScript 7 no longer knows, also when that is set later', async () => {
  ide = await startSightline({
    project: {
      'package.json': '{}',
      'tsconfig.json': config({ baseUrl: './src', paths: { '@/*': ['*'] } }),
      'src/lib/one.ts': 'export const one = 1;\n',
      'src/main.ts':
        "import { one } from 'lib/one';\nimport { one as two } from '@/lib/one';\nexport const x = one + two;\n",
      'src/other.ts': "import { one } from './lib/one';\nexport const y = one;\n",
      'src/moved.ts': "import { one } from 'src/lib/one';\nexport const z = one;\n",
    },
  });
  const agent = await ide.connect({ face: 'index' });
  const known = { 'src/lib/one.ts': 1, 'src/other.ts': 2 };
  expect(await usesOfOne(agent)).toEqual({ ...known, 'src/main.ts': 5 });
  const definition = await agent.data('ide_find_definition', { file: 'src/main.ts', line: 3, text: 'one' });
  expect(JSON.stringify(definition)).toContain('src/lib/one.ts');
  await writeFile(join(ide.root, 'tsconfig.json'), config({ baseUrl: '.' }));
  expect(await usesOfOne(agent)).toEqual({ ...known, 'src/moved.ts': 2 });
  await writeFile(join(ide.root, 'tsconfig.json'), config({}));
  expect(await usesOfOne(agent)).toEqual(known);
});
