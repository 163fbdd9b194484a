import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, temporaryDirectory } from '../harness/harness.ts';
import { builtProgram } from '../support/program.ts';

let program: string;
let home: string;

beforeAll(async () => {
  program = await builtProgram();
  home = await temporaryDirectory('doctor');
});

afterAll(() => removeDirectory(home));

test('doctor leaves nothing in the home directory, neither its own nor of what it asks', async () => {
  mkdirSync(join(home, 'project'));
  writeFileSync(join(home, 'project', 'package.json'), '{}');
  const options = { cwd: join(home, 'project'), env: { PATH: process.env['PATH'], HOME: home } };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'doctor', '--json'], options);
  expect(JSON.parse(stdout)).toHaveProperty('cacheDir', join(home, '.cache', 'sightline'));
  expect(readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
    'project',
    'project/package.json',
  ]);
});
