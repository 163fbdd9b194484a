import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from '../../src/engine/workspace/project.ts';
import {
  findRunConfiguration,
  listRunConfigurations,
} from '../../src/engine/workspace/runConfigs/runConfigurations.ts';

const root = join(import.meta.dirname, 'projects', 'everything');
const project: Project = {
  id: 'everything',
  name: 'everything',
  root,
  stateDir: root,
  env: { PATH: process.env['PATH'], PORT_FOR_TEST: '8080' },
  trusted: true,
};
const options = { debuggable: new Set(['node', 'python']) };

test('every source is read, with what would be started and why not', async () => {
  const list = await listRunConfigurations(project, options);
  const golden = join(import.meta.dirname, 'everything.golden.json');
  const text = `${JSON.stringify(list, null, 2).replaceAll(root, '<root>')}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(golden, text);
  expect(text).toBe(await readFile(golden, 'utf8'));
});

test('nothing can be started in a project that nobody trusts, and listing it executes nothing', async () => {
  const list = await listRunConfigurations({ ...project, trusted: false }, options);
  expect(list.configurations.length).toBeGreaterThan(10);
  expect(list.configurations.filter(({ canRun, canDebug }) => canRun || canDebug)).toEqual([]);
  expect(findRunConfiguration(list, 'Server').whyNot).toContain('not trusted');
});

test('a configuration is found by its name, a script by its bare name, and a wrong name says the nearest', async () => {
  const list = await listRunConfigurations(project, options);
  expect(findRunConfiguration(list, 'Script').source).toBe('.vscode/launch.json');
  expect(findRunConfiguration(list, 'server').name).toBe('Server');
  expect(findRunConfiguration(list, 'start').name).toBe('npm: start');
  expect(() => findRunConfiguration(list, 'Serveer')).toThrow(
    /There is no run configuration "Serveer"\. Nearest: "Server"/,
  );
});
