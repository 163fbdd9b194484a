import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readV8 } from './v8.ts';

let root: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sightline-v8-')));
});

afterAll(() => rm(root, { recursive: true, force: true }));

const plain = `'use strict';
// a comment
function choose(x) {
  if (x > 1) {
    return 'many';
  } else return 'few';
}

const never = () =>
  choose(7);
function loop(n) {
  for (let i = 0; i < n; i++) {
    if (i === 99)
      throw new Error('x');
  }
  return n; choose(n);
}
class Box {
  size = 1;
  static of() { return new Box(); }
  unused() {
    return this.size;
  }
}
console.log(choose(0), loop(3), Box.of());
`;

const typed = `interface Shape { side: number }
type Name = string;

export function area(shape: Shape, name?: Name): number {
  if (name === undefined) return shape.side ** 2;

  const label: string =
    \`\${name}: \${shape.side}\`;
  return label.length;
}
declare const nowhere: number;
export enum Kind { A, B }
area({ side: 2 });
`;

async function lines(...args: string[]): Promise<Record<string, Record<number, number>>> {
  const folder = join(root, 'raw', String(Math.random()));
  await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: folder } });
  const files = await readV8(folder, root);
  return Object.fromEntries(files.map((file) => [file.name.slice(root.length + 1), Object.fromEntries(file.lines)]));
}

test('plain JavaScript: statements by line, branches, functions never called, code after a return', async () => {
  await writeFile(join(root, 'plain.js'), plain);
  expect(await lines('plain.js')).toEqual({
    'plain.js': {
      1: 1,
      4: 1,
      5: 0,
      6: 1,
      9: 1,
      10: 0,
      12: 1,
      13: 3,
      14: 0,
      16: 1,
      19: 1,
      20: 1,
      22: 0,
      25: 1,
    },
  });
});

test('compiled TypeScript: lines of the source through its map, types are no code; two processes are added', async () => {
  await mkdir(join(root, 'dist'), { recursive: true });
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(root, 'src', 'area.ts'), typed);
  const { code } = await transform(typed, {
    loader: 'ts',
    format: 'cjs',
    sourcemap: 'inline',
    sourcefile: '../src/area.ts',
  });
  await writeFile(join(root, 'dist', 'area.js'), code);
  await writeFile(
    join(root, 'twice.js'),
    `require('child_process').execFileSync(process.execPath, ['dist/area.js']); require('./dist/area.js');`,
  );
  expect((await lines('twice.js'))['src/area.ts']).toEqual({ 5: 2, 7: 0, 9: 0, 12: 2, 13: 2 });
});
