import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DaemonHome } from '../daemon/home.ts';
import { builtProgram } from '../support/program.ts';

let program: string;
let home: DaemonHome;

beforeAll(async () => {
  program = await builtProgram();
});

beforeEach(async () => {
  home = await DaemonHome.create(program);
});

afterEach(() => home.dispose());

test('the agents that are there get it, the diff is shown, and remove gives the files back', async () => {
  mkdirSync(join(home.home, '.cursor'));
  mkdirSync(join(home.home, '.codex'));
  const cursor = join(home.home, '.cursor', 'mcp.json');
  const codex = join(home.home, '.codex', 'config.toml');
  const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
  writeFileSync(cursor, before, { mode: 0o640 });
  writeFileSync(codex, 'model = "x"\n');

  const dry = await home.run('install', '--dry-run');
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain('+ command = "node"');
  expect(readFileSync(cursor, 'utf8')).toBe(before);

  expect(await home.run('install')).toMatchObject({ code: 0, stderr: '' });
  const text = readFileSync(cursor, 'utf8');
  expect(text).toContain('// mine');
  expect(text).toContain(JSON.stringify(program));
  expect(statSync(cursor).mode & 0o777).toBe(0o640);
  expect(readFileSync(codex, 'utf8')).toContain('[mcp_servers.sightline]');
  expect(readdirSync(home.home)).not.toContain('.claude.json');

  expect((await home.run('install')).stdout).toContain('stays as it is');
  expect(await home.run('install', '--remove')).toMatchObject({ code: 0 });
  expect(readFileSync(codex, 'utf8')).toBe('model = "x"\n');
  expect(JSON.parse(readFileSync(cursor, 'utf8').replace('// mine', ''))).toEqual({
    mcpServers: { other: { command: 'x' } },
  });
});

test('a damaged configuration is left alone and named; the others are done', async () => {
  mkdirSync(join(home.home, '.cursor'));
  mkdirSync(join(home.home, '.gemini'));
  writeFileSync(join(home.home, '.cursor', 'mcp.json'), '{"mcpServers": ');
  const result = await home.run('install');
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('was left alone: it is not valid JSON');
  expect(readFileSync(join(home.home, '.cursor', 'mcp.json'), 'utf8')).toBe('{"mcpServers": ');
  expect(readFileSync(join(home.home, '.gemini', 'settings.json'), 'utf8')).toContain('sightline');
});

test('without any agent it says so', async () => {
  expect(await home.run('install')).toMatchObject({ code: 1, stderr: '' });
});

test('an agent can be named, and a wrong name lists the right ones', async () => {
  expect(await home.run('install', 'vscode')).toMatchObject({ code: 0 });
  const file = join(home.home, '.config', 'Code', 'User', 'mcp.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ servers: { sightline: { type: 'stdio' } } });
  const wrong = await home.run('install', 'emacs');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('claude-code');
});
