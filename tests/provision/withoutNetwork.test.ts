import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Provision } from '../../src/engine/provision/provision.ts';

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sightline-offline-'));
});
// The go command writes its telemetry into the home directory after it has ended; removing that is tried until it holds.
afterEach(() => rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

/** Nothing listens on port 9 of loopback, and the clients' own caches are empty. */
function offlineProvision(): Provision {
  const proxy = 'http://127.0.0.1:9';
  const env = {
    ...process.env,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: '',
    no_proxy: '',
    npm_config_cache: join(scratch, 'npm'),
    npm_config_fetch_retries: '0',
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    PIP_CACHE_DIR: join(scratch, 'pip'),
    PIP_RETRIES: '0',
    GOMODCACHE: join(scratch, 'go'),
    GOFLAGS: '-modcacherw',
    HOME: scratch,
    PYENV_ROOT: process.env['PYENV_ROOT'] ?? join(process.env['HOME'] ?? '/', '.pyenv'),
    VIRTUAL_ENV: '',
  };
  return new Provision({ cacheDir: join(scratch, 'cache'), env });
}

test.each([
  ['ty', /pip could not reach its registry/, /-m pip install ty==/],
  ['basedpyright', /npm could not reach its registry/, /^npm install --global basedpyright@/],
  ['gopls', /go could not reach its registry/, /^go install golang.org\/x\/tools\/gopls@v/],
])('offline, %s is not installed, and the outcome says so in a sentence', async (id, reason, command) => {
  const [outcome] = await offlineProvision().install([id]);
  expect(outcome).toMatchObject({
    status: 'failed',
    reason: expect.stringMatching(reason),
    manualCommand: expect.stringMatching(command),
  });
  expect(outcome?.reason).not.toMatch(/\n|Traceback|    at /);
});

test.each([
  ['gopls', /Go was not found/, /go\.dev\/dl.*go install golang\.org\/x\/tools\/gopls@v/],
  ['debugpy', /Python 3.8 or newer was not found/, /python3/],
  ['rust-analyzer', /rustup is not on PATH/, /rustup component add rust-analyzer/],
  ['jdtls', /Java 17 or newer was not found/, /openjdk/],
])('without its toolchain, %s comes with the command to type', async (id, reason, command) => {
  const provision = new Provision({
    cacheDir: join(scratch, 'cache'),
    env: { PATH: join(scratch, 'empty'), HOME: scratch },
    catalog: withoutWellKnownPlaces(new Provision({ cacheDir: scratch, env: {} })),
  });
  expect(await provision.locate(id)).toMatchObject({ found: false, installCommand: expect.stringMatching(command) });
  expect(await provision.install([id])).toMatchObject([
    { status: 'failed', reason: expect.stringMatching(reason), manualCommand: expect.stringMatching(command) },
  ]);
});

test('a program that is there but does not run is passed over, with the reason', async () => {
  const bin = join(scratch, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'gopls'), '#!/bin/sh\necho "no such component" >&2\nexit 1\n', { mode: 0o755 });
  await writeFile(join(bin, 'dlv'), '#!/bin/sh\necho "Version: 1.2.3"\n', { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: scratch };
  const provision = new Provision({ cacheDir: join(scratch, 'cache'), env });
  expect(await provision.locate('gopls')).toMatchObject({
    found: false,
    reason: expect.stringContaining('no such component'),
  });
  expect(await provision.locate('dlv')).toMatchObject({
    found: false,
    problems: [expect.stringContaining('is 1.2.3, older than 1.20.0')],
  });
});

test('the interpreter behind a version manager is asked for again when the project chooses another', async () => {
  const shims = join(scratch, 'shims');
  const root = join(scratch, 'chosen');
  await mkdir(shims);
  await mkdir(root);
  const program = '#!/bin/sh\nversion=$(cat .python-version)\necho "$version"\necho "/opt/$version/bin/python"\n';
  await writeFile(join(shims, 'python3'), program, { mode: 0o755 });
  const env = { PATH: `${shims}:/usr/bin:/bin`, HOME: scratch };
  const provision = new Provision({ cacheDir: join(scratch, 'cache'), env });
  const project = { id: 'c', name: 'c', root, stateDir: scratch, env, trusted: true };
  await writeFile(join(root, '.python-version'), '3.12.1');
  expect(await provision.locate('python', project)).toMatchObject({
    version: '3.12.1',
    path: '/opt/3.12.1/bin/python',
  });
  await writeFile(join(root, '.python-version'), '3.9.0');
  const later = new Date(Date.now() + 5000);
  await utimes(join(root, '.python-version'), later, later);
  expect(await provision.locate('python', project)).toMatchObject({ version: '3.9.0', path: '/opt/3.9.0/bin/python' });
});

test('what an untrusted project brings is not used: no interpreter, no server, no PATH entry of its own', async () => {
  const root = join(scratch, 'project');
  await mkdir(join(root, '.venv', 'bin'), { recursive: true });
  await mkdir(join(root, 'bin'));
  const canary = join(scratch, 'canary');
  const program = `#!/bin/sh\ntouch '${canary}'\necho 3.12.0\n`;
  await writeFile(join(root, '.venv', 'bin', 'python'), program, { mode: 0o755 });
  await writeFile(join(root, 'bin', 'gopls'), program, { mode: 0o755 });
  await symlink('/usr/bin/env', join(root, 'bin', 'env'));
  await writeFile(join(root, 'bin', 'java'), program, { mode: 0o755 });
  const env = {
    PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: scratch,
    VIRTUAL_ENV: join(root, '.venv'),
    JAVA_HOME: root,
  };
  const provision = new Provision({ cacheDir: join(scratch, 'cache'), env });
  const project = { id: 'p', name: 'p', root, stateDir: scratch, env, trusted: false };
  for (const { id } of provision.engines) {
    const located = await provision.locate(id, project);
    expect(located.found && located.path.startsWith(root)).toBe(false);
  }
  await expect(rm(canary)).rejects.toMatchObject({ code: 'ENOENT' });
  const trusted = await provision.locate('python', { ...project, trusted: true });
  expect(trusted).toMatchObject({ found: true, path: join(root, '.venv', 'bin', 'python'), source: 'project' });
});

/** The machine of the test may have Java or Go in their usual places. */
function withoutWellKnownPlaces(provision: Provision) {
  return provision.engines.map((engine) => ({
    ...engine,
    find: engine.find.filter(({ source }) => source !== 'well-known'),
  }));
}
