import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Project } from '../project.ts';
import { SettingsStore } from './store.ts';

let folder: string;
let project: Project;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-settings-'));
  mkdirSync(join(folder, 'config'));
  mkdirSync(join(folder, 'app'));
  project = { id: 'app', name: 'app', root: join(folder, 'app'), stateDir: folder, env: {}, trusted: true };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a project file counts from the next call on, and can only tighten', async () => {
  const problems: string[] = [];
  const store = await SettingsStore.load({ configDir: join(folder, 'config'), env: {} }, (text) => problems.push(text));
  expect(store.of(project)['policy.execute']).toBe('allow');
  writeFileSync(join(project.root, '.sightline.json'), '{"policy": {"execute": "ask", "destructive": "allow"}}');
  await store.refresh(project);
  expect(store.of(project)['policy.execute']).toBe('ask');
  expect(store.of(project)['policy.destructive']).toBe('ask');
  expect(store.of(undefined)['policy.execute']).toBe('allow');
  expect(problems.join('\n')).toContain('cannot loosen');
  await store.refresh(project);
  expect(problems).toHaveLength(1);
});
