import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CancelledError } from '../../src/base/errors.ts';
import { Provision } from '../../src/engine/provision/provision.ts';
import type { Project } from '../../src/engine/workspace/project.ts';
import { ensureEngine, testProvision } from '../support/engines.ts';

const run = promisify(execFile);
/** Go builds from source, and the first run downloads everything. */
const buildTimeoutMs = 600_000;

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sightline-real-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test('ty installs from the registry into an empty cache and answers as a language server', async () => {
  const provision = new Provision({ cacheDir: join(scratch, 'cache'), env: process.env, catalog: onlyFromCache() });
  const [outcome] = await provision.install(['ty']);
  expect(outcome).toMatchObject({ status: 'installed', source: 'cache' });
  const located = await provision.locate('ty');
  expect(located).toMatchObject({ found: true, version: outcome?.version, command: [outcome?.path, 'server'] });
});

test('an install stopped in the middle of pip leaves nothing and is done in full next time', async () => {
  const provision = new Provision({ cacheDir: join(scratch, 'stopped'), env: process.env, catalog: onlyFromCache() });
  const cancel = new AbortController();
  const stopped = provision.install(['rope'], {
    signal: cancel.signal,
    progress: ({ message }) => {
      if (message.startsWith('Collecting')) cancel.abort();
    },
  });
  await expect(stopped).rejects.toBeInstanceOf(CancelledError);
  expect(await readdir(join(scratch, 'stopped', 'engines', '.staging'))).toEqual([]);
  expect(await provision.locate('rope')).toMatchObject({ found: false });
  expect(await provision.install(['rope'])).toMatchObject([{ status: 'installed' }]);
});

test(
  'debugpy loads by its path alone in every Python that is here, from 3.8 on',
  { timeout: buildTimeoutMs },
  async () => {
    await ensureEngine('debugpy');
    const interpreters = await pythonsHere();
    expect(interpreters.length).toBeGreaterThan(0);
    const provision = testProvision();
    for (const python of interpreters) {
      const located = await provision.locate('debugpy', projectWith(python));
      if (!located.found) throw new Error(located.reason);
      const code = 'import debugpy, pydevd; print(debugpy.__version__)';
      const env = {
        PYTHONPATH: `${located.path}:${located.path}/debugpy/_vendored/pydevd`,
        PYTHONDONTWRITEBYTECODE: '1',
      };
      const { stdout } = await run(python, ['-c', code], { env });
      expect([python, stdout.trim()]).toEqual([python, located.version]);
    }
  },
);

test(
  'debugpy installs from the registry with the compiled parts of every Python',
  { timeout: buildTimeoutMs },
  async () => {
    const provision = new Provision({ cacheDir: join(scratch, 'debugpy'), env: process.env, catalog: onlyFromCache() });
    const [outcome] = await provision.install(['debugpy']);
    expect(outcome).toMatchObject({ status: 'installed', version: '1.8.22' });
    const files = await readdir(outcome?.path ?? '', { recursive: true });
    const compiled = new Set(files.map((file) => /pydevd_cython\.cpython-(\d+)/.exec(file)?.[1]));
    for (const python of ['38', '39', '310', '311', '312', '313', '314']) expect(compiled).toContain(python);
    expect(files.filter((file) => file.includes('.wheel-'))).toEqual([]);
  },
);

test('the debugpy for an interpreter that a launch names is the one that this interpreter can load', async () => {
  await ensureEngine('debugpy');
  const provision = testProvision();
  for (const python of await pythonsHere()) {
    const located = await provision.locate('debugpy', undefined, { python });
    const isOld = /\/3\.[89]\./.test(python);
    expect([python, located.found && located.path.endsWith('py38')]).toEqual([python, isOld]);
  }
});

test.each(['gopls', 'dlv'])(
  '%s is built with the Go that is here, and runs',
  { timeout: buildTimeoutMs },
  async (id) => {
    const engine = await ensureEngine(id);
    const { stdout } = await run(engine.path, ['version']);
    expect(stdout).toContain(engine.version);
  },
);

test.each(['basedpyright', 'rope', 'clangd'])(
  '%s installs and passes its own check',
  { timeout: buildTimeoutMs },
  async (id) => {
    await ensureEngine(id);
    expect(await testProvision().install([id])).toMatchObject([{ status: 'present' }]);
  },
);

/** The built-in engines, looked for in the given cache alone: what the machine already has must not count. */
function onlyFromCache() {
  return testProvision().engines.map((engine) =>
    engine.role === 'toolchain' ? engine : { ...engine, find: engine.find.filter(({ source }) => source === 'cache') },
  );
}

function projectWith(python: string): Project {
  const env = { ...process.env, VIRTUAL_ENV: join(python, '..', '..') };
  return { id: python, name: python, root: scratch, stateDir: scratch, env, trusted: true };
}

async function pythonsHere(): Promise<string[]> {
  const versions = join(process.env['PYENV_ROOT'] ?? join(homedir(), '.pyenv'), 'versions');
  const names = await readdir(versions).catch(() => []);
  const wanted = names.filter((name) => /^3\.(8|9|\d\d)\.\d+$/.test(name));
  if (wanted.length > 0) return wanted.map((name) => join(versions, name, 'bin', 'python'));
  const python = await testProvision().locate('python');
  return python.found ? [python.path] : [];
}
