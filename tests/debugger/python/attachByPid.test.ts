import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeDirectory, type RunningSightline, startSightline, temporaryDirectory } from '../../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';

const ticking = `import time
n = 0
while True:
    n += 1
    print(n, flush=True)
    time.sleep(0.02)
`;

describe('attaching to a Python program that was not started for it', () => {
  let folder: string;
  let program: ChildProcess;
  let ide: RunningSightline | undefined;
  beforeAll(async () => {
    folder = await temporaryDirectory('attach');
    await ensureEngine('debugpy');
    await ensureEngine('gdb');
  }, 180_000);
  afterAll(async () => {
    program.kill('SIGKILL');
    await ide?.dispose();
    await removeDirectory(folder);
  });

  it('says that gdb is missing or cannot do it, and attaches with the one of the cache; the program runs on either way', async () => {
    const python = (await ensureEngine('python')).path;
    // A PATH with an interpreter and nothing else.
    const bare = join(folder, 'bin');
    await mkdir(bare);
    await symlink(python, join(bare, 'python3'));
    ide = await startSightline({
      project: { 'app.py': ticking },
      env: { PATH: bare },
    });
    program = spawn(python, [join(ide.root, 'app.py')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ticks = async () => once(program.stdout ?? program, 'data');
    await ticks();
    const refused = await (
      await ide.connect({ face: 'debugger' })
    ).call('start_debug_session', { pid: program.pid, language: 'python' });
    expect(refused.error).toMatchObject({
      name: 'attach_failed',
      message: `debugpy could not be brought into process ${program.pid}: gdb is not installed, and this Python (older than 3.14) cannot be joined without it.`,
      hint: expect.stringContaining('start_debug_session'),
    });
    await ticks();

    // A gdb that cannot call into processes here is found out on a process of ours.
    const broken = join(folder, 'broken');
    await mkdir(broken);
    await symlink(python, join(broken, 'python3'));
    const words = "Couldn't write extended state status: Bad address.";
    await writeFile(join(broken, 'gdb'), `#!/bin/sh\necho "${words}" >&2\nexit 0\n`, { mode: 0o755 });
    const untouched = await startSightline({
      project: { 'app.py': ticking },
      env: { PATH: `${broken}:/usr/bin:/bin`, SIGHTLINE_CACHE: join(folder, 'cache') },
    });
    const told = await (
      await untouched.connect({ face: 'debugger' })
    ).call('start_debug_session', { pid: program.pid, language: 'python' });
    await untouched.dispose();
    expect(told.error).toMatchObject({
      name: 'attach_failed',
      message: `gdb cannot call into a running process on this machine, so the program was not touched: ${words}`,
    });
    await ticks();

    // The one in the cache takes its place.
    const { root } = ide;
    const other = await startSightline({ env: { SIGHTLINE_CACHE: testCacheDir } });
    try {
      const env = { ...process.env, PATH: `${broken}:/usr/bin:/bin` };
      await other.sightline.projects.open(root, { env, trustedByStart: true });
      const agent = await other.connect({ face: 'debugger' });
      await agent.data('set_breakpoint', { file_path: 'app.py', line: 5 });
      const attached = await agent.call('start_debug_session', {
        pid: program.pid,
        language: 'python',
        wait_ms: 30_000,
      });
      expect([attached.data, await agent.data('step_over'), await agent.data('stop_debug_session')]).toMatchObject([
        { state: 'paused', stop: { reason: 'breakpoint', location: { line: 5 }, variables: [{ name: 'n' }] } },
        { stop: { reason: 'step', location: { line: 6 } } },
        { exitReason: 'detached' },
      ]);
    } finally {
      await other.dispose();
    }
    await ticks();
    expect(program.exitCode).toBeNull();
  });
});
