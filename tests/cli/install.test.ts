import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ruleText } from '../../src/engine/install/rule.ts';
import { allTools } from '../../src/tools/registry.ts';
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
  expect(dry.stdout).toContain('+command = "node"');
  expect(readFileSync(cursor, 'utf8')).toBe(before);

  const done = await home.run('install');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toMatch(/Cursor: done\. Tried: Sightline \S+ answers with \d+ tools/);
  expect((await home.run('install', '--list')).stdout).toMatch(/^cursor +installed +\S+mcp\.json$/m);
  const text = readFileSync(cursor, 'utf8');
  expect(text).toContain('// mine');
  expect(text).toContain(JSON.stringify(program));
  expect(statSync(cursor).mode & 0o777).toBe(0o640);
  expect(readFileSync(codex, 'utf8')).toContain('[mcp_servers.sightline]');
  expect(readdirSync(home.home)).not.toContain('.claude.json');

  expect((await home.run('install')).stdout).toContain('stays as it is');
  expect(await home.run('install', '--remove')).toMatchObject({ code: 0 });
  expect(readFileSync(codex, 'utf8')).toBe('model = "x"\n');
  expect(readFileSync(cursor, 'utf8')).toBe(before);
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

test('over HTTP: an address that stays and a token that opens it, which no output shows', async () => {
  expect((await home.run('install', 'cursor', '--http')).stderr).toContain('"port": 7411');
  const port = await freePort();
  mkdirSync(join(home.home, 'config'), { recursive: true });
  writeFileSync(join(home.home, 'config', 'config.json'), JSON.stringify({ 'server.port': port }));
  const done = await home.run('install', 'cursor', 'windsurf', 'gemini', 'codex', '--http');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout.match(/answers with \d+ tools/g)).toHaveLength(4);
  const token = readFileSync(join(home.home, 'config', 'http-token'), 'utf8').trim();
  expect(statSync(join(home.home, 'config', 'http-token')).mode & 0o777).toBe(0o600);
  expect(done.stdout).not.toContain(token);
  const [url, headers] = [`http://127.0.0.1:${port}/mcp`, { Authorization: `Bearer ${token}` }];
  const entry = (file: string) => JSON.parse(readFileSync(join(home.home, file), 'utf8')).mcpServers.sightline;
  expect(entry('.cursor/mcp.json')).toEqual({ url, headers });
  expect(entry('.codeium/windsurf/mcp_config.json')).toEqual({ serverUrl: url, headers });
  expect(entry('.gemini/settings.json')).toEqual({ httpUrl: url, headers });
  expect(readFileSync(join(home.home, '.codex', 'config.toml'), 'utf8')).toBe(
    `[mcp_servers.sightline]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\n`,
  );
  // The token outlives the process; one that others may read opens nothing.
  const knock = () => fetch(url, { method: 'POST', headers, body: '{}' }).then(({ status }) => status);
  await home.run('stop');
  await home.run('start');
  expect(await knock()).not.toBe(401);
  chmodSync(join(home.home, 'config', 'http-token'), 0o644);
  expect(await knock()).toBe(401);
  expect((await home.run('install', 'claude-desktop', '--http')).stderr).toContain('only starts servers itself');
  await home.run('stop');
});

test('links and the rule', async () => {
  const { stdout } = await home.run('install', '--links');
  const [, config = ''] = /cursor:\S+config=(\S+)/.exec(stdout) ?? [];
  const entry = { command: 'node', args: [program, 'stdio'] };
  expect(JSON.parse(Buffer.from(decodeURIComponent(config), 'base64').toString('utf8'))).toEqual(entry);
  const [, vscode = ''] = /vscode:mcp\/install\?(\S+)/.exec(stdout) ?? [];
  expect(JSON.parse(decodeURIComponent(vscode))).toEqual({ name: 'sightline', type: 'stdio', ...entry });

  expect((await home.run('install', '--rule')).stdout).toContain('debug_explain');
  const agents = join(home.project, 'AGENTS.md');
  const mine = '# Mine\r\n\r\nBe kind.\r\n';
  writeFileSync(agents, mine);
  const files = ['AGENTS.md', 'CLAUDE.md', '.cursor/rules/sightline.mdc', '.claude/skills/sightline/SKILL.md'];
  expect(await home.run('install', '--rule', ...files)).toMatchObject({ code: 0, stderr: '' });
  const text = readFileSync(agents, 'utf8');
  expect(text.startsWith(`${mine}\r\n<!-- sightline: begin -->\r\n## Sightline\r\n`)).toBe(true);
  expect(readFileSync(join(home.project, files[3] ?? ''), 'utf8')).toMatch(/^---\nname: sightline\ndescription: /);
  expect((await home.run('install', '--rule', 'AGENTS.md')).stdout).toContain('stays as it is');
  await home.run('install', '--rule', ...files, '--remove');
  expect(readFileSync(agents, 'utf8')).toBe(mine);
  for (const file of files.slice(1)) expect(existsSync(join(home.project, file))).toBe(false);
  // Every tool that it names exists.
  const named = [...ruleText.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? '');
  const tools = allTools.map(({ name }) => name);
  expect(named.filter((name) => !tools.includes(name))).toEqual([]);
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
