import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('what is written for them starts the server in the Inspector', async () => {
  const agents = agentClients(home.home, home.env, process.platform).filter(({ id }) => others.includes(id));
  for (const { signs } of agents) mkdirSync(signs[0] ?? '', { recursive: true });
  expect(await home.run('install', '--yes')).toMatchObject({ code: 0, stderr: '' });
  // The Inspector reads one of the forms; each entry is handed over as it stands in the agent's file.
  const mcpServers = Object.fromEntries(
    agents.map(({ id, files, path }) => {
      const written: unknown = parse(readFileSync(files.user ?? '', 'utf8'));
      return [id, path.reduce<unknown>((value, key) => new Map(Object.entries(Object(value))).get(key), written)];
    }),
  );
  const config = join(home.home, 'inspector.json');
  writeFileSync(config, JSON.stringify({ mcpServers }));
  await Promise.all(
    others.map(async (id) => {
      const words = ['--cli', '--config', config, '--server', id, '--method', 'tools/list'];
      const { code, stdout, stderr } = await inspector.run(words, home.env);
      expect({ id, code, stderr: code === 0 ? '' : stderr }).toEqual({ id, code: 0, stderr: '' });
      expect(stdout).toContain('"debug_probe"');
    }),
  );
});
