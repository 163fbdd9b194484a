import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyPlan, listAgents, planInstall } from '../../src/engine/install/installer.ts';
import type { InstallPlace, InstallRequest } from '../../src/engine/install/model.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { builtProgram } from '../support/program.ts';
import { samples } from './agents.ts';

let program: string;
let home: string;
let place: InstallPlace;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  home = await temporaryDirectory('agents');
  const env = { HOME: home, SIGHTLINE_HOME: join(home, 'sl'), PATH: join(home, 'bin') };
  mkdirSync(join(home, 'project'));
  const command = ['node', program];
  place = {
    home,
    env,
    platform: 'linux',
    project: join(home, 'project'),
    command,
    node: process.execPath,
    receipts: join(home, 'sl', 'install'),
  };
  // The handshake finds Node where the person has it.
  mkdirSync(join(home, 'bin'));
  symlinkSync(process.execPath, join(home, 'bin', 'node'));
});

afterEach(() => removeDirectory(home));

const request = (id: string, more: Partial<InstallRequest> = {}): InstallRequest => ({
  id,
  action: 'install',
  scope: 'user',
  ...more,
});
const stateOf = (id: string) => listAgents(place).find((agent) => agent.id === id);
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
};
const text = (file: string) => readFileSync(join(home, file), 'utf8');

test('there is a sample for every agent', () => {
  expect(listAgents(place).map(({ id }) => id)).toEqual(Object.keys(samples));
  expect(listAgents(place).every(({ isFound, state }) => !isFound && state === 'not installed')).toBe(true);
});

describe.each(Object.entries(samples))('%s', (id, { file, before, after }) => {
  test('is installed to the byte, tried, left alone the second time, and given back', async () => {
    put(file, before);
    const plan = planInstall(request(id), place);
    expect(plan).toMatchObject({ file: join(home, file), before });
    expect(plan.diff).toMatch(/^\+.*sightline/m);
    expect(text(file)).toBe(before);
    const result = await applyPlan(plan, place);
    expect(text(file)).toBe(after.replaceAll('PROGRAM', program).replaceAll('NODE', process.execPath));
    expect(result.handshake).toMatchObject({ works: true, tools: expect.any(Number) });
    expect(readFileSync(result.backup ?? '', 'utf8')).toBe(before);
    expect(stateOf(id)).toMatchObject({ isFound: true, state: 'installed', transport: 'stdio' });
    expect(planInstall(request(id), place).diff).toBe('');
    const removal = await applyPlan(planInstall(request(id, { action: 'remove' }), place), place);
    expect(removal.isChanged).toBe(true);
    expect(text(file)).toBe(before);
    expect(stateOf(id)).toMatchObject({ state: 'not installed' });
  });
});

test('where nothing was, nothing is left: neither file nor folder', async () => {
  await applyPlan(planInstall(request('junie'), place), place);
  expect(JSON.parse(text('.junie/mcp/mcp.json'))).toEqual({
    mcpServers: { sightline: { command: 'node', args: [program, 'stdio'] } },
  });
  await applyPlan(planInstall(request('junie', { action: 'remove' }), place), place);
  expect(existsSync(join(home, '.junie'))).toBe(false);
});

test('what was changed meanwhile stays when Sightline goes', async () => {
  const { file } = samples['gemini'] ?? { file: '' };
  put(file, '{\n  "theme": "dark"\n}\n');
  await applyPlan(planInstall(request('gemini'), place), place);
  put(file, text(file).replace('"dark"', '"light"'));
  await applyPlan(planInstall(request('gemini', { action: 'remove' }), place), place);
  expect(text(file)).toBe('{\n  "theme": "light"\n}\n');
});

test('states: outdated, broken by a missing program, broken syntax with its place', async () => {
  const other = join(home, 'other.js');
  writeFileSync(other, '');
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sightline: { command: 'node', args: [other, 'stdio'] } } }));
  expect(stateOf('cursor')).toMatchObject({ state: 'outdated', why: `it starts node ${other} stdio` });
  put(
    '.cursor/mcp.json',
    JSON.stringify({ mcpServers: { sightline: { command: 'node', args: ['/gone.js', 'stdio'] } } }),
  );
  expect(stateOf('cursor')).toMatchObject({ state: 'broken', why: '/gone.js is not there' });
  await applyPlan(planInstall(request('cursor'), place), place);
  expect(stateOf('cursor')).toMatchObject({ state: 'installed' });
  put('.cursor/mcp.json', '{\n  "mcpServers": {,}\n}');
  expect(stateOf('cursor')?.why).toContain('line 2, column 18');
  expect(() => planInstall(request('cursor'), place)).toThrow(
    /was left alone: it is not valid JSON: .* line 2, column 18/,
  );
  put('.codex/config.toml', 'model = \n');
  expect(() => planInstall(request('codex'), place)).toThrow(/was left alone: it is not valid TOML: .* line 1/);
});

test('a read-only file, a link out of the project and a file changed after the question are refused', async () => {
  put('.qwen/settings.json', '{}');
  chmodSync(join(home, '.qwen', 'settings.json'), 0o444);
  await expect(applyPlan(planInstall(request('qwen'), place), place)).rejects.toThrow('is read-only');
  expect(readdirSync(join(home, '.qwen'))).toEqual(['settings.json']);
  writeFileSync(join(home, 'elsewhere.json'), '{}');
  symlinkSync(join(home, 'elsewhere.json'), join(home, 'project', '.mcp.json'));
  expect(() => planInstall(request('claude-code', { scope: 'project' }), place)).toThrow('leads out of the project');
  put('.gemini/settings.json', '{}');
  const plan = planInstall(request('gemini'), place);
  put('.gemini/settings.json', '{"theme": "dark"}');
  await expect(applyPlan(plan, place)).rejects.toThrow('was changed since');
  expect(text('.gemini/settings.json')).toBe('{"theme": "dark"}');
});

test('a project gets a file of its own, where the agent has one', async () => {
  for (const { id } of listAgents(place, 'project')) {
    await applyPlan(planInstall(request(id, { scope: 'project' }), place), place);
  }
  expect(listAgents(place, 'project').map(({ state }) => state)).toEqual(Array(10).fill('installed'));
  expect(readdirSync(join(home, 'project')).sort()).toEqual(
    [
      '.codex',
      '.cursor',
      '.gemini',
      '.github',
      '.junie',
      '.mcp.json',
      '.qwen',
      '.vscode',
      '.zed',
      'opencode.json',
    ].sort(),
  );
  expect(() => planInstall(request('windsurf', { scope: 'project' }), place)).toThrow(
    'no configuration for a single project',
  );
  for (const { id } of listAgents(place, 'project'))
    await applyPlan(planInstall(request(id, { scope: 'project', action: 'remove' }), place), place);
  expect(readdirSync(join(home, 'project'))).toEqual([]);
});

test("the agent's own command is preferred; when it fails, the file is edited and the reason told", async () => {
  put('.claude.json', '{}');
  const claude = join(home, 'bin', 'claude');
  // Writes as the real one does: the whole file, in its own form.
  const script = `#!${process.execPath}
const fs = require('node:fs');
const [, , mcp, add, flag, scope, name, entry] = process.argv;
fs.writeFileSync(process.env.HOME + '/.claude.json', JSON.stringify({ mcpServers: { [name]: JSON.parse(entry) } }));
`;
  writeFileSync(claude, script, { mode: 0o755 });
  const plan = planInstall(request('claude-code'), place);
  expect(plan.own?.slice(1, 6)).toEqual(['mcp', 'add-json', '--scope', 'user', 'sightline']);
  const result = await applyPlan(plan, place);
  expect(result).toMatchObject({ handshake: { works: true } });
  expect(result).not.toHaveProperty('ownCommandFailed');
  expect(text('.claude.json')).toMatch(/^\{"mcpServers":\{"sightline"/);
  await applyPlan(planInstall(request('claude-code', { action: 'remove' }), place), place);
  expect(text('.claude.json')).toBe('{}');
  writeFileSync(claude, '#!/bin/sh\necho no such option >&2\nexit 3\n', { mode: 0o755 });
  const failed = await applyPlan(planInstall(request('claude-code'), place), place);
  expect(failed).toMatchObject({
    ownCommandFailed: expect.stringContaining('ended with code 3: no such option'),
    handshake: { works: true },
  });
});

test('an entry that does not start Sightline is told', async () => {
  const broken = { ...place, command: ['node', '-e', 'console.error("nothing here"); process.exit(4)'] };
  const { handshake } = await applyPlan(planInstall(request('qwen'), broken), broken);
  expect(handshake).toMatchObject({
    works: false,
    problem: expect.stringContaining('ended with code 4: nothing here'),
  });
});
