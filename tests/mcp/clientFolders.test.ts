import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/base/paths.ts';
import {
  removeDirectory,
  startSightline,
  streamPair,
  temporaryProject,
  TestClient,
  type RunningSightline,
} from '../harness/harness.ts';
import { serveStdio } from '../../src/server/mcp/stdio.ts';
import { ways } from './toolsOnly.ts';

/** Which project a call means, and what a client is told of others. */
let ide: RunningSightline;
let second: string;

beforeAll(async () => {
  ide = await startSightline({ project: { 'package.json': '{}', 'first.txt': 'first\n' } });
  second = await temporaryProject({ 'package.json': '{}', 'second.txt': 'second\n', 'sub/deep.txt': 'deep\n' });
});

afterAll(async () => {
  await ide.dispose();
  await removeDirectory(second);
});

const offering = (...folders: string[]) => ({
  client: { capabilities: { roots: { listChanged: true } } },
  prepare: (client: Client) =>
    client.setRequestHandler('roots/list', async () => ({
      roots: folders.map((folder) => ({ uri: pathToUri(folder) })),
    })),
});

/** A local client as the product serves it, started in this folder. */
async function startedIn(cwd: string, more?: ReturnType<typeof offering>, isProjectGiven = false): Promise<TestClient> {
  const { backend, resources, logger } = ide.sightline;
  const pair = streamPair();
  const info = { name: 'x', transport: 'stdio', face: 'all', output: 'text', cwd, env: { HOME: homedir() } } as const;
  const parts = { backend, resources, version: '0' };
  const connection = serveStdio(parts, pair.server, { ...info, isProjectGiven }, logger);
  return TestClient.connect(pair.client, more?.client, () => connection.ended, more?.prepare);
}

describe.each(ways.filter((way) => way.transport !== 'stdio'))('roots over $name', (way) => {
  it('a client that offers them works there, not where the process was started', async () => {
    const agent = await ide.connect({ ...way, face: 'all', ...offering(join(second, 'sub')) });
    expect(await agent.text('list_project_files')).toContain('second.txt');
    await agent.close();
  });

  it('a client that offers none, or none of this machine, works in the one that is open', async () => {
    for (const folders of [[], ['/no/such/folder']]) {
      const agent = await ide.connect({ ...way, face: 'all', ...offering(...folders) });
      const { text } = await agent.call('list_project_files', { project_path: ide.root });
      expect(text).toContain('first.txt');
      await agent.close();
    }
  });
});

describe('a local client', () => {
  it('started in a home directory works where its roots are, and is trusted there', async () => {
    const agent = await startedIn(homedir(), offering(second));
    expect(await agent.text('list_project_files')).toContain('second.txt');
    expect(ide.sightline.projects.list().find((project) => project.root === realpathSync(second))?.trusted).toBe(true);
    await agent.close();
  });

  it('works in the project that its configuration names, whatever its roots are', async () => {
    const agent = await startedIn(ide.root, offering(second), true);
    expect(await agent.text('list_project_files')).toContain('first.txt');
    await agent.close();
  });

  it.each(['/', homedir(), join(homedir(), '..')])('started in %s has no project there', async (folder) => {
    const agent = await startedIn(folder);
    await agent.call('list_project_files');
    const { error } = await agent.call('list_project_files', { project_path: folder });
    expect(error?.name).toBe('project_not_found');
    const opened = ide.sightline.projects.list().map((project) => project.root);
    expect(opened).not.toContain(realpathSync(folder));
    await agent.close();
  });
});

describe('several projects open', () => {
  it('an absolute path in the arguments decides', async () => {
    const agent = await ide.connect({ face: 'all' });
    await agent.call('list_project_files', { project_path: second });
    expect((await agent.call('list_project_files')).error?.name).toBe('multiple_projects_open');
    expect(await agent.text('read_file', { file_path: join(second, 'second.txt') })).toContain('second');
    expect(await agent.text('read_file', { file_path: join(ide.root, 'first.txt') })).toContain('first');
    expect(await agent.text('read_file', { file_path: pathToUri(join(ide.root, 'first.txt')) })).toContain('first');
    await agent.close();
  });

  it('also for a client with a project of its own, but only into projects that are open', async () => {
    const agent = await startedIn(ide.root);
    expect(await agent.text('read_file', { file_path: join(second, 'second.txt') })).toContain('second');
    const { error, text } = await agent.call('read_file', { file_path: '/etc/hosts' });
    expect(error?.name).toBe('path_outside_project');
    expect(text).not.toMatch(/localhost/);
    await agent.close();
  });
});

describe('errors name no files outside the project', () => {
  it.each([
    ['a link that leads out', 'out', '/etc/hosts'],
    ['a link that leads to nothing', 'nothing', '/no/such/secret-target'],
  ])('%s', async (_what, name, target) => {
    mkdirSync(join(ide.root, 'links'), { recursive: true });
    symlinkSync(target, join(ide.root, 'links', name));
    const agent = await startedIn(ide.root);
    const { error, text } = await agent.call('read_file', { file_path: `links/${name}` });
    expect(error).toBeDefined();
    expect(text).not.toContain(target);
    expect(text).toContain('symbolic link');
    await agent.close();
  });
});

describe('arguments', () => {
  it('two spellings of one argument with the same value are no error; different ones are', async () => {
    const agent = await startedIn(ide.root);
    const same = { file: 'first.txt', file_path: 'first.txt', filePath: 'first.txt' };
    expect(await agent.text('read_file', same)).toContain('first');
    const { text } = await agent.call('read_file', { file: 'first.txt', file_path: 'second.txt' });
    expect(text).toContain('their values differ');
    await agent.close();
  });

  it('a call that is refused for its arguments is in the history of its project', async () => {
    const agent = await startedIn(ide.root);
    await agent.call('read_file', { no_such_argument: 7 });
    const project = ide.sightline.projects.list().find((one) => one.root === ide.root);
    const entry = ide.sightline.history.list(project).find((one) => JSON.stringify(one).includes('no_such_argument'));
    expect(entry).toMatchObject({ toolName: 'read_file', status: 'error', project: ide.root });
    await agent.close();
  });
});

it.each([['*/*'], ['text/html, */*;q=0.1'], [undefined]])('POST with Accept %s is answered', async (accept) => {
  const clientInfo = { name: 'bare', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const headers = {
    authorization: `Bearer ${ide.token}`,
    'content-type': 'application/json',
    ...(accept && { accept }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const answer = await fetch(`${ide.url}/mcp`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('serverInfo');
});

it('paths are mapped for clients that see the files elsewhere, in both directions', async () => {
  const root = await temporaryProject({ 'package.json': '{}', 'a.ts': 'export const one = 1;\n' });
  const mapped = await startSightline({ env: { SIGHTLINE_PATHS_MAP: JSON.stringify({ '/workspace': root }) } });
  try {
    const agent = await mapped.connect({ face: 'workspace', ...offering('/workspace') });
    expect(JSON.stringify(await agent.data('list_project_files'))).toContain('a.ts');
    const read = await agent.data('read_file', { file_path: '/workspace/a.ts', project_path: '/workspace' });
    expect(JSON.stringify(read)).toContain('one = 1');
    const info = JSON.stringify(await agent.data('get_project_info'));
    expect(info).toContain('/workspace');
    expect(info).not.toContain(root);
    const { text } = await agent.call('read_file', { file_path: '/workspace/missing.ts' });
    expect(text).toContain('/workspace');
    expect(text).not.toContain(root);
    writeFileSync(join(root, 'b.txt'), `see ${root}\n`);
    // The content of a file is never changed.
    expect(JSON.stringify(await agent.data('read_file', { file_path: '/workspace/b.txt' }))).toContain(`see ${root}`);
  } finally {
    await mapped.dispose();
    await removeDirectory(root);
  }
});

it('a long call reports progress by itself', async () => {
  const root = await temporaryProject({ 'package.json': '{"scripts": {"wait": "sleep 30"}}' });
  const running = await startSightline({ project: root });
  try {
    const agent = await running.connect({ transport: 'stdio', face: 'all' });
    const heard: (string | undefined)[] = [];
    await agent.call(
      'run_configuration',
      { name: 'npm: wait', wait_ms: 4500 },
      { onProgress: (said) => void heard.push(said) },
    );
    expect(heard).toContain('run_configuration: 2 s');
  } finally {
    await running.dispose();
    await removeDirectory(root);
  }
});
