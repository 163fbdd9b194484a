import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configsWithoutBaseUrl } from './baseUrlConfigs.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-base-url-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function shown(files: Record<string, unknown>): Promise<Record<string, unknown>> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const texts = await configsWithoutBaseUrl({ root, env: process.env });
  return Object.fromEntries([...texts].map(([path, text]) => [path.slice(root.length + 1), JSON.parse(text)]));
}

it('says with paths what baseUrl means', async () => {
  const config =
    '{\n  // kept\n  "compilerOptions": { "strict": true, "baseUrl": "./src", "paths": { "@/*": ["*"] }, },\n}\n';
  expect(await shown({ 'tsconfig.json': config })).toEqual({
    'tsconfig.json': { compilerOptions: { strict: true, paths: { '*': ['./src/*'], '@/*': ['./src/*'] } } },
  });
});

it('takes the base of what is extended for paths of its own', async () => {
  const own = { extends: '../base', compilerOptions: { paths: { lib: ['lib/main.ts'] } } };
  const files = {
    'common.json': { compilerOptions: { baseUrl: '.' } },
    'base.json': { extends: './common.json' },
    'app/tsconfig.json': own,
    'other/tsconfig.json': { extends: '../base.json', compilerOptions: {} },
  };
  expect(await shown(files)).toEqual({
    'common.json': { compilerOptions: { paths: { '*': ['./*'] } } },
    'app/tsconfig.json': { ...own, compilerOptions: { paths: { '*': ['../*'], lib: ['../lib/main.ts'] } } },
  });
});

it.each([
  ['a comment', { 'tsconfig.json': '{ "compilerOptions": { /* "baseUrl": "." */ } }' }],
  ['paths alone', { 'tsconfig.json': { compilerOptions: { paths: { a: ['./a'] } } } }],
  ['another kind of file', { 'data.json': { baseUrl: '.' }, 'list.json': ['baseUrl'] }],
  ['what does not parse', { 'tsconfig.json': '"baseUrl"' }],
  ['what extends itself', { 'tsconfig.json': { extends: './tsconfig.json', compilerOptions: { paths: {} } } }],
])('leaves alone %s', async (_what, files) => {
  expect(await shown(files)).toEqual({});
});
