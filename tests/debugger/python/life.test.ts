import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { childEnvironment, ManagedProcess, processesWithToken } from '../../../src/base/processes.ts';
import { ensureEngine } from '../../support/engines.ts';
import { launch, line } from './harness.ts';
import { scenes } from './support.ts';

const scene = scenes();

describe('the life of a Python program under the debugger', () => {
  it('stops on entry', async () => {
    const { run } = await scene.program('a = 1\nb = 2\n', undefined, { stopOnEntry: true });
    const stop = await run.stop();
    expect(stop.reason).toBe('entry');
    expect((await run.top(stop)).location?.line).toBe(1);
  });

  it('pauses in an endless loop', async () => {
    const { run } = await scene.program('n = 0\nprint("go")\nwhile True:\n    n += 1\n');
    await expect.poll(() => run.output()).toBe('go\n');
    await run.target.pause();
    const stop = await run.stop();
    expect(stop.reason).toBe('pause');
    expect(await run.locals(stop)).toHaveProperty('n');
    await run.target.resume(stop.threadId);
    await run.target.pause();
    expect((await run.stop()).reason).toBe('pause');
  });

  it.each([
    [
      'sleeps',
      'import time\n\ndef wait():\n    seconds = 1000\n    time.sleep(seconds)\n\nprint("go")\nwait()\n',
      'wait',
    ],
    [
      'waits for a lock for ever',
      'import threading\n\ndef wait():\n    lock = threading.Lock()\n    with lock:\n        lock.acquire()\n\nprint("go")\nwait()\n',
      'wait',
    ],
    ['waits for input', 'def wait():\n    return input()\n\nprint("go")\nwait()\n', 'wait'],
  ])('pauses while it %s, and goes on afterwards', async (_what, text, name) => {
    const { run } = await scene.program(text);
    await expect.poll(() => run.output()).toBe('go\n');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await run.target.pause();
    const stop = await run.stop();
    expect(stop.reason).toBe('pause');
    expect((await run.frames(stop)).map((frame) => frame.name)).toContain(name);
    expect(await run.evaluate(stop, '1 + 1')).toBe('2');
    await run.target.resume(stop.threadId);
    await expect(run.next(300)).rejects.toThrow('Nothing stopped');
  });

  it('says where it crashed in native code', async () => {
    const { run } = await scene.program('import os\n\ndef crash():\n    os.abort()\n\ncrash()\n');
    expect(await run.end()).toEqual({ signal: 'SIGABRT' });
    expect(run.output('stderr')).toMatch(/Fatal Python error: Aborted[^]*app\.py", line 4 in crash/);
  });

  it('reads its input', async () => {
    const { run } = await scene.program(
      'import sys\nname = input("name? ")\nprint("hello", name)\nprint(sys.stdin.readline().strip())\n',
    );
    await expect.poll(() => run.output()).toBe('name? ');
    await run.target.writeInput('Ada\nsecond\n');
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output()).toBe('name? hello Ada\nsecond\n');
  });

  it('prints 200,000 lines before it stops, and all of them are told before the stop', async () => {
    const { run } = await scene.program('for i in range(200000):\n    print(i)\ndone = True\n', (file) => ({
      lines: [line(file, 3)],
    }));
    await run.stop();
    const told = run.output('stdout');
    expect(told.endsWith('199999\n')).toBe(true);
    expect(told.split('\n')).toHaveLength(200_001);
  });

  it('keeps text whole that is split between bytes, and both streams apart', async () => {
    const { run } = await scene.program('import sys\nprint("žluťoučký 🐎" * 20000)\nprint("err", file=sys.stderr)\n');
    await run.end();
    expect(run.output('stdout')).toBe(`${'žluťoučký 🐎'.repeat(20_000)}\n`);
    expect(run.output('stderr')).toBe('err\n');
  });

  it('sees what it would see without us', async () => {
    const { run, project } = await scene.program(
      'import os, sys, __main__\nprint(sys.argv, sys.path[0], __name__, __file__, __main__.__file__, "SIGHTLINE_DEBUGGEE" in os.environ, os.getcwd(), [m for m in sys.modules if m in ("launch", "scripts", "test_runs", "engine")])\n',
      undefined,
      { args: ['--flag', 'x y'] },
    );
    await run.end();
    const app = project.path('app.py');
    expect(run.output('stdout')).toBe(
      `['${app}', '--flag', 'x y'] ${project.root} __main__ ${app} ${app} False ${project.root} []\n`,
    );
  });

  it('runs a module with -m', async () => {
    const project = await scene.project({
      'pkg/__init__.py': '',
      'pkg/__main__.py': 'import sys\nvalue = 3\nprint(__name__, sys.argv[1:])\n',
    });
    const { adapter, Run, setup } = await import('./harness.ts');
    const { silentLogger } = await import('../../../src/base/logger.ts');
    const run = scene.keep(new Run(adapter().createTarget({ project, logger: silentLogger })));
    const spec = {
      language: 'python',
      name: 'pkg',
      kind: 'module',
      module: 'pkg',
      args: ['a'],
      cwd: project.root,
      env: {},
      stopOnEntry: false,
    } as const;
    await run.target.launch(spec, setup({ lines: [line(project.path('pkg/__main__.py'), 3)] }));
    const stop = await run.stop();
    expect((await run.frames(stop)).map(({ name }) => name)).toEqual(['<module>']);
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output()).toBe("__main__ ['a']\n");
  });

  it("runs with the project's own environment, into which nothing is installed", async () => {
    const project = await scene.project({ 'app.py': 'import sys\nprefix = sys.prefix\nprint(prefix, flush=True)\n' });
    const python = (await ensureEngine('python')).path;
    const made = await ManagedProcess.start({
      name: 'venv',
      command: python,
      args: ['-m', 'venv', '--without-pip', '.venv'],
      cwd: project.root,
      env: childEnvironment(project.env),
    });
    expect(await made.exited).toMatchObject({ code: 0 });
    const before = readdirSync(project.path('.venv'), { recursive: true }).length;
    const run = scene.keep(await launch(project, 'app.py', { lines: [line(project.path('app.py'), 3)] }));
    const stop = await run.stop();
    expect(await run.locals(stop)).toMatchObject({ prefix: `'${project.path('.venv')}'` });
    await run.target.resume(stop.threadId);
    await run.end();
    expect(readdirSync(project.path('.venv'), { recursive: true })).toHaveLength(before);
  });

  it('is stepped through without its libraries, unless these are wanted', async () => {
    for (const [justMyCode, name] of [
      [true, '<module>'],
      [false, 'loads'],
    ] as const) {
      const { run } = await scene.program(
        'import json\nvalue = json.loads("[1]")\nprint(value)\n',
        (file) => ({ lines: [line(file, 2)] }),
        { justMyCode },
      );
      const stop = await run.stop();
      await run.target.step(stop.threadId, 'into');
      expect((await run.top(await run.stop())).name).toBe(name);
    }
  });

  it('says why it could not be started', async () => {
    await expect(scene.program('x = (\n')).resolves.toBeDefined();
    const { run } = await scene.program('x = (\n', () => ({ exceptions: [] }));
    expect(await run.end()).toEqual({ code: 1 });
    expect(run.output('stderr')).toContain('SyntaxError');
  });

  it('is found dead after kill -9, at once', async () => {
    const { run } = await scene.program('a = 1\nb = 2\n', (file) => ({ lines: [line(file, 2)] }));
    const stop = await run.stop();
    const pid = run.target.processes()[0]?.pid ?? 0;
    const step = run.target.step(stop.threadId, 'over');
    process.kill(pid, 'SIGKILL');
    await step.catch(() => undefined);
    expect(await run.end()).toMatchObject({ signal: 'SIGKILL' });
    await expect(run.target.stack(stop.threadId, 0, 1)).rejects.toMatchObject({ code: 'not_paused' });
  });

  it('is gone with all it started, though that ignores SIGTERM', async () => {
    const { run } = await scene.program(
      'import os, signal, subprocess, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor _ in range(5):\n    subprocess.Popen(["sleep", "1000"], start_new_session=True)\nif os.fork() == 0:\n    os.setsid()\n    while True: time.sleep(1)\nprint("ready", flush=True)\nwhile True: time.sleep(1)\n',
    );
    await expect.poll(() => run.output('stdout')).toContain('ready');
    const pid = run.target.processes()[0]?.pid ?? 0;
    const token = /SIGHTLINE_RUN=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1] ?? '';
    expect(processesWithToken(token).length).toBeGreaterThanOrEqual(7);
    await run.target.terminate();
    expect(processesWithToken(token)).toEqual([]);
  });

  it('runs on after detach', async () => {
    const { run } = await scene.program(
      'import time\nn = 0\nwhile n < 30:\n    n += 1\n    time.sleep(0.02)\nprint("finished", n)\n',
      (file) => ({
        lines: [line(file, 4)],
      }),
    );
    await run.stop();
    await run.target.detach();
    expect(await run.end()).toEqual({ reason: 'detached' });
    await expect.poll(() => run.output('stdout')).toBe('finished 30\n');
  });
});

describe('Python processes started by the program', () => {
  it('by subprocess are part of the session, with breakpoints', async () => {
    const project = await scene.project({
      'child.py': 'import sys\nvalue = int(sys.argv[1])\nprint("child", value)\n',
      'app.py':
        'import subprocess, sys\nprint(subprocess.run([sys.executable, "child.py", "7"], capture_output=True, text=True).stdout)\n',
    });
    const run = scene.keep(await launch(project, 'app.py', { lines: [line(project.path('child.py'), 3)] }));
    const stop = await run.stop();
    expect(stop.processId).toBe('p2');
    expect(await run.locals(stop)).toMatchObject({ value: '7' });
    expect(run.target.processes()).toMatchObject([
      { id: 'p1' },
      { id: 'p2', parentId: 'p1', title: expect.stringContaining('child.py 7') },
    ]);
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('stdout')).toBe('child 7\n\n');
    expect(await run.target.breakpointStatistics()).toMatchObject([{ hits: 1, fileLoaded: true }]);
  });

  it.each(['fork', 'spawn'])('by multiprocessing (%s) are part of the session, exceptions included', async (method) => {
    const { run } = await scene.program(
      `import multiprocessing as mp\n\ndef work(n):\n    square = n * n\n    return 10 // (n - 2)\n\nif __name__ == "__main__":\n    mp.set_start_method("${method}")\n    ps = [mp.Process(target=work, args=(n,)) for n in (1, 2)]\n    for p in ps:\n        p.start(); p.join()\n    print([p.exitcode for p in ps])\n`,
      (file) => ({ lines: [line(file, 5)] }),
    );
    const seen: string[] = [];
    for (let next = await run.next(); 'threadId' in next; next = await run.next()) {
      seen.push(`${next.reason} ${(await run.locals(next))['square']}`);
      await run.target.resume(next.threadId);
    }
    expect(seen).toEqual(['breakpoint 1', 'breakpoint 4', 'exception 4']);
    expect(run.output('stdout')).toBe('[0, 1]\n');
    expect(run.target.processes().length).toBeGreaterThanOrEqual(3);
  });
});
