import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sightlineVersion } from '../../src/base/version.ts';
import { installed } from '../harness/foreignTool.ts';
import { removeDirectory, temporaryDirectory } from '../harness/harness.ts';
import { StdioProgram, builtProgram, eventually, processesOf } from '../support/program.ts';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');
let scratch: string;
let bin: string;
let env: NodeJS.ProcessEnv;
let files: string[];

beforeAll(async () => {
  await builtProgram();
  scratch = await temporaryDirectory('package');
  const npm = (args: string[], cwd: string) => run('npm', [...args, '--loglevel=error'], { cwd, maxBuffer: 1e8 });
  // The build is there already; the package's own scripts would only build it again.
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], repository);
  const [made] = JSON.parse(packed.stdout) as { filename: string; files: { path: string }[] }[];
  if (made === undefined) throw new Error('npm pack made nothing.');
  files = made.files.map((file) => file.path);
  writeFileSync(join(scratch, 'package.json'), '{"name": "user", "private": true}');
  await npm(['install', '--no-audit', '--no-fund', '--prefer-offline', `./${made.filename}`], scratch);
  bin = join(scratch, 'node_modules', '.bin', 'sightline');
  const home = join(scratch, 'home');
  env = { PATH: process.env['PATH'], HOME: home, SIGHTLINE_HOME: home };
  mkdirSync(join(scratch, 'project'));
  writeFileSync(join(scratch, 'project', 'package.json'), '{"name": "sample"}');
  writeFileSync(
    join(scratch, 'project', 'add.ts'),
    'export const add = (a: number) => a + 1;\nexport const two = add(1);\n',
  );
  writeFileSync(join(scratch, 'project', 'run.js'), 'const seven = 7;\nconsole.log(seven);\n');
}, 300_000);

afterAll(async () => {
  await run(bin, ['stop'], { env });
  await removeDirectory(scratch);
});

test('the package holds the program and what belongs to it, and no sources or tests', () => {
  for (const name of [
    'dist/sightline.js',
    'dist/main.js',
    'dist/answers/default.json',
    'python/launch.py',
    'pins/engines.json',
    'README.md',
    'LICENSE',
  ])
    expect(files).toContain(name);
  expect(files).toContain('python/_sightline_refactor/rename/renaming.py');
  expect(files).toContain('python/_sightline_debuggee/engine.py');
  expect(files.filter((name) => /^(src|tests|scripts|bench)\/|\.test\.|__pycache__/.test(name))).toEqual([]);
});

test('the entry for the registry agrees with the package', async () => {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(repository, name), 'utf8'));
  const { mcpName, name } = (await read('package.json')) as { mcpName: string; name: string };
  // The form that the registry takes names in; whose it is, only a publisher can say.
  expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(await read('server.json')).toMatchObject({
    name: mcpName,
    description: expect.stringMatching(/^.{1,100}$/),
    version: sightlineVersion,
    packages: [{ registryType: 'npm', identifier: name, version: sightlineVersion }],
  });
});

test('a bundle is valid, packed, unpacked and started as its manifest says', async () => {
  const folder = join(scratch, 'bundle');
  // Links instead of copies: the packages that belong to it are large.
  await run('cp', ['-al', join(scratch, 'node_modules', 'sightline'), folder]);
  await run('cp', ['-al', join(scratch, 'node_modules'), join(folder, 'node_modules')]);
  await removeDirectory(join(folder, 'node_modules', 'sightline'));
  const print = `import { prepare } from './scripts/bundle.mjs'; prepare(${JSON.stringify(folder)});`;
  await run(process.execPath, ['--input-type=module', '-e', print], { cwd: repository });
  const mcpb = join(await installed('@anthropic-ai/mcpb@2.1.2'), '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js');
  const valid = await run(process.execPath, [mcpb, 'validate', join(folder, 'manifest.json')]);
  expect(valid.stdout).toContain('validation passes');
  const [file, unpacked] = [join(scratch, 'sightline.mcpb'), join(scratch, 'unpacked')];
  await run(process.execPath, [mcpb, 'pack', folder, file], { maxBuffer: 1e8 });
  await run(process.execPath, [mcpb, 'unpack', file, unpacked], { maxBuffer: 1e8 });
  const { server } = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')) as {
    server: { mcp_config: { command: string; args: string[] } };
  };
  const project = join(scratch, 'project');
  const args = server.mcp_config.args.map((word) =>
    word.replace('${__dirname}', unpacked).replace('${user_config.project}', project),
  );
  // As a desktop starts it: in no project, with a client that others wrote.
  const transport = new StdioClientTransport({
    command: server.mcp_config.command,
    args,
    cwd: scratch,
    env: { ...env, PATH: env['PATH'] ?? '', HOME: join(scratch, 'desktop'), SIGHTLINE_HOME: join(scratch, 'desktop') },
  });
  const client = new Client({ name: 'desktop', version: '1' });
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'sightline', version: sightlineVersion });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('debug_probe');
  const used = { file: 'add.ts', line: 1, text: 'add' };
  const answer = await client.callTool({ name: 'ide_find_references', arguments: used });
  expect(answer.isError).not.toBe(true);
  expect(JSON.stringify(answer.content)).toContain('add.ts');
  await client.close();
  await run(process.execPath, [join(unpacked, 'dist', 'sightline.js'), 'stop'], {
    env: { ...env, HOME: join(scratch, 'desktop'), SIGHTLINE_HOME: join(scratch, 'desktop') },
  });
});

test('the installed command runs tools of the bundled engines', async () => {
  expect((await run(bin, ['--version'], { env })).stdout.trim()).toBe(sightlineVersion);
  const cwd = join(scratch, 'project');
  const call = async (...args: string[]) => (await run(bin, ['call', ...args], { env, cwd })).stdout;
  expect(await call('list_project_files')).toContain('package.json');
  expect(await call('ide_find_references', '--file', 'add.ts', '--line', '1', '--text', 'add')).toContain('2: ');
  const probe = JSON.stringify({ program: 'run.js', breakpoints: [{ file: 'run.js', line: 2 }] });
  expect(await call('debug_probe', '--json', probe)).toContain('run.js:2');
});

test('an agent can start the installed command, and everything ends with stop', async () => {
  const agent = new StdioProgram(bin, ['stdio'], { cwd: join(scratch, 'project'), env });
  expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: 'sightline' } } });
  expect(await agent.request('tools/list')).toHaveProperty('result.tools');
  expect(await agent.callTool('sightline_tools')).toHaveProperty('result.content');
  agent.child.stdin.end();
  expect(await agent.exited).toBe(0);
  expect(agent.foreign).toEqual([]);
  await run(bin, ['stop'], { env });
  expect(await eventually(() => processesOf(join(scratch, 'home')).length === 0, 5000)).toBe(true);
});
