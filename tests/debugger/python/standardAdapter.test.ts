import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { AdapterBackend } from '../../../src/engine/debugger/targets/dap/adapterBackend.ts';
import type { DapAdapter } from '../../../src/engine/debugger/targets/dap/dapAdapter.ts';
import { DapTarget } from '../../../src/engine/debugger/targets/dap/dapTarget.ts';
import { realInterpreter } from '../../../src/engine/debugger/adapters/python/interpreter.ts';
import { ensureEngine } from '../../support/engines.ts';
import { line, Run, setup } from './harness.ts';
import { scenes, type TestProject } from './support.ts';

const scene = scenes();

/** debugpy's own adapter, as any other DAP language would be described. */
async function debugpyAdapter(project: TestProject): Promise<DapAdapter> {
  const python = await realInterpreter((await ensureEngine('python')).path, project);
  const folder = (await ensureEngine('debugpy')).path;
  return {
    name: 'debugpy',
    adapterId: 'debugpy',
    start: () => Promise.resolve({ kind: 'stdio', command: python, args: [join(folder, 'debugpy', 'adapter')] }),
    launchArguments: (spec) => ({
      program: spec.program,
      python,
      cwd: spec.cwd,
      console: 'internalConsole',
      justMyCode: false,
    }),
    attachArguments: () => ({}),
    isLibrary: (file) => file.includes('site-packages') || file.includes('/lib/python'),
  };
}

async function launchStandard(project: TestProject, program: string, parts: Parameters<typeof setup>[0]): Promise<Run> {
  const backend = new AdapterBackend(await debugpyAdapter(project));
  const run = scene.keep(new Run(new DapTarget('python', backend, { project, logger: silentLogger })));
  await run.target.launch(
    {
      language: 'python',
      name: program,
      kind: 'program',
      program: project.path(program),
      args: [],
      cwd: project.root,
      env: {},
      stopOnEntry: false,
    },
    setup(parts),
  );
  return run;
}

describe('a real debug adapter by the protocol alone', () => {
  it('stops, steps, evaluates, changes a variable and ends', async () => {
    const project = await scene.project({
      'app.py':
        'def f(n):\n    total = n\n    for i in range(3):\n        total += i\n    return total\n\nprint(f(4))\n',
    });
    const file = project.path('app.py');
    const run = await launchStandard(project, 'app.py', { lines: [line(file, 4, { condition: 'i == 1' })] });
    const stop = await run.stop();
    expect(stop).toMatchObject({ reason: 'breakpoint', breakpointIds: ['4'] });
    expect((await run.top(stop)).location).toMatchObject({ file, line: 4 });
    expect(await run.locals(stop)).toMatchObject({ n: '4', i: '1', total: '4' });
    expect(await run.evaluate(stop, 'total * 10')).toBe('40');
    const frame = await run.top(stop);
    await run.target.setVariable({
      threadId: stop.threadId,
      frameId: frame.id,
      path: 'total',
      valueExpression: '100',
      timeoutMs: 20_000,
      limits: { maxValueChars: 100, maxStringChars: 100, maxItems: 5, depth: 1 },
    });
    await run.target.step(stop.threadId, 'over');
    expect(await run.locals(await run.stop())).toMatchObject({ total: '101' });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('stdout')).toContain('103');
  });

  it('shows an uncaught exception and is gone when the adapter is killed', async () => {
    const project = await scene.project({ 'app.py': 'x = 1\nraise ValueError("bad")\n' });
    const run = await launchStandard(project, 'app.py', {});
    const stop = await run.stop();
    expect(stop.reason).toBe('exception');
    expect(
      await run.target.exceptionInfo(stop.threadId, { maxValueChars: 100, maxStringChars: 100, maxItems: 5, depth: 1 }),
    ).toMatchObject({
      type: expect.stringMatching(/^ValueError/),
      message: 'bad',
    });
    await run.target.terminate();
    expect(await run.end()).toBeDefined();
  });

  it('says why the adapter could not be started', async () => {
    const project = await scene.project({ 'app.py': '' });
    const adapter = await debugpyAdapter(project);
    for (const [command, args, says] of [
      ['/nonexistent/python', [], 'could not be started'],
      ['node', ['-e', 'console.error("no such option"); process.exit(2)'], 'no such option'],
    ] as const) {
      const broken: DapAdapter = { ...adapter, start: () => Promise.resolve({ kind: 'stdio', command, args }) };
      const target = new DapTarget('python', new AdapterBackend(broken), { project, logger: silentLogger });
      await expect(
        target.launch(
          {
            language: 'python',
            name: 'x',
            kind: 'program',
            program: project.path('app.py'),
            args: [],
            cwd: project.root,
            env: {},
            stopOnEntry: false,
          },
          setup(),
        ),
      ).rejects.toMatchObject({ code: 'launch_failed', message: expect.stringContaining(says) });
    }
  });
});
