import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/engine/workspace/project.ts';
import { ensureDebugpy, launch, line, pythonProject, removeProject, type Run } from './harness.ts';

const loop = `import sys

class Order:
    def __init__(self, qty):
        self.qty = qty

def total(orders):
    result = 0
    for order in orders:
        result += order.qty
    return result

print("start")
orders = [Order(n) for n in range(6)]
print("total", total(orders))
sys.exit(3)
`;

let project: Project & { path(name: string): string };
let run: Run | undefined;

beforeAll(ensureDebugpy, 180_000);

afterEach(async () => {
  await run?.target.dispose();
  run = undefined;
  await removeProject(project);
});

describe('a Python program', () => {
  it('stops at a breakpoint with frames, locals and what it printed', async () => {
    project = await pythonProject({ 'app.py': loop });
    const file = project.path('app.py');
    run = await launch(project, 'app.py', { lines: [line(file, 10)] });
    const stop = await run.stop();
    expect(stop).toMatchObject({ reason: 'breakpoint', breakpointIds: ['10'], allThreadsPaused: true });
    expect(run.output('stdout')).toBe('start\n');
    expect((await run.frames(stop)).map(({ name, location }) => [name, location])).toEqual([
      ['total', { file, line: 10 }],
      ['<module>', { file, line: 15 }],
    ]);
    expect(await run.locals(stop)).toEqual({
      orders: '[#1 Order(qty=0), Order(qty=1), Order(qty=2), Order(qty=3), Order(qty=4), Order(qty=5)]',
      result: '0',
      order: '#1 Order(qty=0)',
    });
    await run.target.setLineBreakpoints(file, []);
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 3 });
    expect(run.output('stdout')).toBe('start\ntotal 15\n');
  });

  it('steps over, into and out', async () => {
    project = await pythonProject({ 'app.py': loop });
    const file = project.path('app.py');
    run = await launch(project, 'app.py', { lines: [line(file, 15)] });
    let stop = await run.stop();
    await run.target.step(stop.threadId, 'into');
    stop = await run.stop();
    expect(stop.reason).toBe('step');
    expect((await run.top(stop)).name).toBe('total');
    await run.target.step(stop.threadId, 'over');
    stop = await run.stop();
    expect((await run.top(stop)).location?.line).toBe(9);
    await run.target.step(stop.threadId, 'out');
    stop = await run.stop();
    expect((await run.top(stop)).location?.line).toBe(15);
    await run.target.terminate();
    expect(await run.end()).toMatchObject({ signal: 'SIGTERM' });
  });
});
