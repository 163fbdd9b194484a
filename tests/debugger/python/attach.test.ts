import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { childEnvironment, ManagedProcess, processesWithToken } from '../../../src/base/processes.ts';
import type { AttachSpec } from '../../../src/engine/debugger/model.ts';
import { realInterpreter } from '../../../src/engine/debugger/adapters/python/interpreter.ts';
import { ensureEngine } from '../../support/engines.ts';
import { adapter, line, Run, setup, type SetupParts } from './harness.ts';
import { scenes, type TestProject } from './support.ts';

const ticking = `import time

def tick(n):
    square = n * n
    return square

n = 0
while True:
    n += 1
    tick(n)
    time.sleep(0.02)
`;

const scene = scenes();
const started: ManagedProcess[] = [];

afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
});

async function startPython(
  project: TestProject,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ManagedProcess> {
  const python = await realInterpreter((await ensureEngine('python')).path, project);
  const program = await ManagedProcess.start({
    name: 'python',
    command: python,
    args,
    cwd: project.root,
    env: childEnvironment(project.env, env),
  });
  started.push(program);
  program.stdout.resume();
  return program;
}

async function attach(project: TestProject, where: Partial<AttachSpec>, parts: SetupParts = {}): Promise<Run> {
  const run = scene.keep(new Run(adapter().createTarget({ project, logger: silentLogger })));
  const spec: AttachSpec = { language: 'python', name: 'attached', pathMappings: [], cwd: project.root, ...where };
  await run.target.attach(spec, setup(parts));
  return run;
}

async function listening(project: TestProject, ...args: string[]): Promise<{ port: number; program: ManagedProcess }> {
  const port = await freePort();
  const debugpy = await ensureEngine('debugpy');
  const program = await startPython(project, [join(debugpy.path, 'debugpy'), '--listen', `127.0.0.1:${port}`, ...args]);
  return { port, program };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Attaches as soon as the port is open. */
async function attachWhenReady(project: TestProject, where: Partial<AttachSpec>, parts: SetupParts = {}): Promise<Run> {
  const deadline = Date.now() + 40_000;
  for (;;) {
    try {
      return await attach(project, where, parts);
    } catch (error) {
      if (Date.now() > deadline || !String(error).includes('refused')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describe('attaching to a Python program', () => {
  it('by port stops at breakpoints with everything a launched program shows, and lets it run on', async () => {
    const project = await scene.project({ 'app.py': ticking });
    const { port, program } = await listening(project, 'app.py');
    const file = project.path('app.py');
    const run = await attachWhenReady(
      project,
      { host: '127.0.0.1', port },
      { lines: [line(file, 5, { condition: 'n % 5 == 0' })] },
    );
    const stop = await run.stop();
    expect(stop).toMatchObject({ reason: 'breakpoint', breakpointIds: ['5'] });
    expect((await run.frames(stop)).map(({ name }) => name)).toEqual(['tick', '<module>']);
    expect(Number((await run.locals(stop))['n']) % 5).toBe(0);
    expect(await run.evaluate(stop, 'square + 1')).toMatch(/^\d+$/);
    await run.target.step(stop.threadId, 'over');
    expect((await run.stop()).reason).toBe('step');
    await run.target.detach();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(program.hasExited).toBe(false);
  });

  it('maps the paths of another machine', async () => {
    const project = await scene.project({ 'remote/app.py': ticking, 'local/app.py': ticking });
    const { port } = await listening(project, 'remote/app.py');
    const file = project.path('local/app.py');
    const run = await attachWhenReady(
      project,
      { port, pathMappings: [{ localRoot: project.path('local'), remoteRoot: project.path('remote') }] },
      { lines: [line(file, 4)] },
    );
    const stop = await run.stop();
    expect((await run.top(stop)).location).toEqual({ file, line: 4 });
  });

  it('notices when the program is killed', async () => {
    const project = await scene.project({ 'app.py': ticking });
    const { port, program } = await listening(project, 'app.py');
    const run = await attachWhenReady(project, { port });
    process.kill(program.pid, 'SIGKILL');
    expect(await run.end()).toMatchObject({ reason: expect.any(String) });
  });

  it('by port takes in the processes that it starts', async () => {
    const project = await scene.project({
      'child.py': 'import sys\nvalue = int(sys.argv[1])\nprint("child", value)\n',
      'app.py':
        'import subprocess, sys, time\nwhile True:\n    subprocess.run([sys.executable, "child.py", "7"])\n    time.sleep(0.1)\n',
    });
    const { port, program } = await listening(project, 'app.py');
    const run = await attachWhenReady(project, { port }, { lines: [line(project.path('child.py'), 3)] });
    const stop = await run.stop();
    expect(await run.locals(stop)).toMatchObject({ value: '7' });
    expect(run.target.processes()).toMatchObject([
      { id: 'p1', pid: program.pid },
      { id: stop.processId, parentId: 'p1', title: expect.stringContaining('child.py 7') },
    ]);
    await run.target.detach();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(program.hasExited).toBe(false);
  });

  it('notices when the adapter between us and the program is killed', async () => {
    const project = await scene.project({ 'app.py': ticking });
    const { port, program } = await listening(project, 'app.py');
    const run = await attachWhenReady(project, { port }, { lines: [line(project.path('app.py'), 4)] });
    const stop = await run.stop();
    const token = /SIGHTLINE_RUN=([^\0]+)/.exec(readFileSync(`/proc/${program.pid}/environ`, 'latin1'))?.[1] ?? '';
    const adapters = processesWithToken(token).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('adapter'),
    );
    expect(adapters).toHaveLength(1);
    const step = run.target.step(stop.threadId, 'over').catch((error: unknown) => error);
    process.kill(adapters[0] ?? 0, 'SIGKILL');
    await step;
    let next = await run.next();
    if ('threadId' in next) next = await run.next();
    expect(next).toMatchObject({ reason: expect.any(String) });
    await expect(run.target.stack(stop.threadId, 0, 1)).rejects.toMatchObject({ code: 'not_paused' });
  });

  it('by process id, where gdb or Python itself allows it', async () => {
    const project = await scene.project({ 'app.py': ticking });
    const program = await startPython(project, ['app.py']);
    const file = project.path('app.py');
    const locals = attach(project, { pid: program.pid }, { lines: [line(file, 4)] }).then(async (run) => {
      const found = await run.locals(await run.stop());
      await run.target.detach();
      return Object.keys(found);
    });
    // The gdb of some systems cannot call into a process on newer processors; then nothing is touched.
    const outcome = await locals.catch((error: unknown) => [String(error)]);
    expect(outcome.join()).toMatch(/\bn\b|gdb cannot call into a running process on this machine/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(program.hasExited).toBe(false);
  });

  it('says exactly why it cannot', async () => {
    const project = await scene.project({ 'app.py': ticking });
    await expect(attach(project, { port: await freePort() })).rejects.toMatchObject({
      code: 'attach_failed',
      message: expect.stringContaining('Nothing listens'),
    });
    await expect(attach(project, { pid: 4_194_000 })).rejects.toMatchObject({
      message: 'There is no process 4194000.',
    });
    await expect(attach(project, { pid: process.pid })).rejects.toMatchObject({
      message: expect.stringContaining('not Python'),
    });
    const server = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(attach(project, { port })).rejects.toMatchObject({
      code: 'attach_failed',
      message: expect.stringContaining('not as debugpy'),
    });
    await new Promise((resolve) => server.close(resolve));
  });
});
