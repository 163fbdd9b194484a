import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentClients } from '../../src/engine/install/clients.ts';
import { foreignTool, foreignTools, type ForeignTool } from '../harness/foreignTool.ts';
import { builtProgram } from '../support/program.ts';
import { ClientHome } from './clientHome.ts';
import { realClients } from './specs/all.ts';

/** Agents without a program of their own to try: the Inspector starts what stands in their files. */
let home: ClientHome;
let inspector: ForeignTool;

beforeAll(async () => {
  home = await ClientHome.create(await builtProgram());
  inspector = await foreignTool(foreignTools.oldInspector.packageSpec, foreignTools.oldInspector.bin);
});
afterAll(() => home.dispose());

const real = new Set(realClients.map(({ id }) => id));
const others = agentClients('/home', {}, 'linux').flatMap(({ id }) => (real.has(id) ? [] : [id]));

test('every agent is tried, by its own program or here', () => {
  expect(others).toEqual(['claude-desktop', 'cursor', 'vscode', 'windsurf', 'zed', 'junie', 'cline']);
});

test.each(others)('what is written for %s starts the server in the Inspector', async (id) => {
  const agent = agentClients(home.home, home.env, process.platform).find((each) => each.id === id);
  const file = agent?.files.user;
  if (agent === undefined || file === undefined) throw new Error(`There is no file for ${id}.`);
  mkdirSync(dirname(file), { recursive: true });
  const installed = await home.run('install', id, '--yes');
  expect(installed).toMatchObject({ code: 0, stderr: '' });
  const written: unknown = parse(readFileSync(file, 'utf8'));
  const entry = agent.path.reduce<unknown>((value, key) => new Map(Object.entries(Object(value))).get(key), written);
  // The Inspector reads one of the forms; the entry itself is handed over as it stands.
  const config = join(home.home, `${id}.json`);
  writeFileSync(config, JSON.stringify({ mcpServers: { sightline: entry } }));
  const words = ['--cli', '--config', config, '--server', 'sightline', '--method'];
  const { code, stdout, stderr } = await inspector.run([...words, 'tools/list'], home.env);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"debug_probe"');
  expect((await home.run('install', id, '--remove', '--yes')).code).toBe(0);
});
