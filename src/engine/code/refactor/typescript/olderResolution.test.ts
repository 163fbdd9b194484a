import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { resolvesByBaseUrl } from './olderResolution.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-base-url-')));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function layOut(files: Record<string, unknown>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

it.each([
  ['its own configuration', { 'src/tsconfig.json': { compilerOptions: { baseUrl: '.' } } }, true],
  [
    'one that is extended',
    { 'tsconfig.json': { extends: './base' }, 'base.json': { compilerOptions: { baseUrl: '.' } } },
    true,
  ],
  [
    'a part that is listed',
    {
      'tsconfig.json': { references: [{ path: './app' }] },
      'app/tsconfig.json': { compilerOptions: { baseUrl: '.' } },
    },
    true,
  ],
  ['a comment', { 'tsconfig.json': '{ "compilerOptions": { /* "baseUrl": "." */ } }' }, false],
  [
    'one that only a build uses',
    {
      'tsconfig.json': {},
      'src/tsconfig.build.json': { extends: '../tsconfig.json', compilerOptions: { baseUrl: '.' } },
    },
    false,
  ],
  ['one that extends itself', { 'tsconfig.json': { extends: './tsconfig.json' } }, false],
  ['none', {}, false],
])('tells whether modules are found by baseUrl: %s', (_where, files, expected) => {
  layOut(files);
  expect(resolvesByBaseUrl({ root }, [join(root, 'src', 'a.ts')])).toBe(expected);
});
