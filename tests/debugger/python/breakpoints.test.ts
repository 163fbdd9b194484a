import { describe, expect, it } from 'vitest';
import { line } from './harness.ts';
import { scenes } from './support.ts';

const loop = `def work(i):
    square = i * i

    # a comment
    return (
        square +
        1
    )

total = 0
for i in range(20):
    total += work(i)
print(total)
`;

const scene = scenes();

describe('breakpoints in Python', () => {
  it('count hits like in every other language: only passes whose condition holds', async () => {
    for (const [operator, count, expected] of [
      ['==', 3, [5]],
      ['>=', 8, [15, 17, 19]],
      ['%', 4, [7, 15]],
      ['<', 3, [1, 3]],
    ] as const) {
      const { run } = await scene.program(loop, (file) => ({
        lines: [line(file, 2, { condition: 'i % 2 == 1', hitCondition: { operator, count } })],
      }));
      const seen: number[] = [];
      for (let next = await run.next(); 'threadId' in next; next = await run.next()) {
        seen.push(Number((await run.locals(next))['i']));
        await run.target.resume(next.threadId);
      }
      expect(seen).toEqual(expected);
    }
  });

  it('say why they were never hit', async () => {
    const { run, file } = await scene.program(loop, (path) => ({
      lines: [
        line(path, 2, { id: 'never true', condition: 'i > 100' }),
        line(path, 12, { id: 'fails', condition: 'nothing.here' }),
      ],
    }));
    await run.end();
    const statistics = await run.target.breakpointStatistics();
    expect(statistics).toMatchObject([
      { breakpointId: 'never true', hits: 0, conditionFalse: 20, conditionErrors: 0, fileLoaded: true },
      {
        breakpointId: 'fails',
        hits: 0,
        conditionErrors: 20,
        lastConditionError: "NameError: name 'nothing' is not defined",
      },
    ]);
    expect(file).toContain('app.py');
  });

  it('move to real code: a comment to the next line, the middle of a statement to its beginning', async () => {
    const { run } = await scene.program(loop, (file) => ({
      lines: [line(file, 3), line(file, 4), line(file, 8), line(file, 500)],
    }));
    await run.stop();
    // Lines and exceptions are bound side by side; which is told first is no promise.
    expect(Object.fromEntries(run.bindings.map((binding) => [binding.breakpointId, binding]))).toMatchObject({
      3: { verified: true, location: { line: 5 } },
      4: { verified: true, location: { line: 5 } },
      8: { verified: true, location: { line: 5 } },
      500: { verified: false, nearestLines: [12, 13] },
      uncaught: { verified: true },
    });
  });

  it('refuse a condition that is not Python', async () => {
    const { run } = await scene.program(loop, (file) => ({ lines: [line(file, 2, { condition: 'i ==' })] }));
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.bindings.find((binding) => binding.breakpointId === '2')).toMatchObject({
      verified: false,
      message: expect.stringContaining('not a Python expression'),
    });
  });

  it('log without stopping, in the order of the program', async () => {
    const { run } = await scene.program('for i in range(3):\n    print("printed", i)\n', (file) => ({
      lines: [line(file, 2, { logMessage: 'i is {i}, twice {{i}} {[i] * 2} and {missing}', suspendPolicy: 'none' })],
    }));
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('log')).toBe(
      [0, 1, 2]
        .map((i) => `i is ${i}, twice {${i}} [${i}, ${i}] and {NameError: name 'missing' is not defined}\n`)
        .join(''),
    );
  });

  it('share a line, each with its own condition', async () => {
    const { run } = await scene.program(loop, (file) => ({
      lines: [line(file, 2, { id: 'a', condition: 'i == 3' }), line(file, 2, { id: 'b', condition: 'i in (3, 5)' })],
    }));
    const first = await run.stop();
    expect(first.breakpointIds).toEqual(['a', 'b']);
    await run.target.resume(first.threadId);
    expect((await run.stop()).breakpointIds).toEqual(['b']);
  });

  it('stop at a function by name', async () => {
    const { run } = await scene.program(loop, () => ({
      functions: [{ id: 'f', functionName: 'work', suspendPolicy: 'all', condition: 'i == 4' }],
    }));
    const stop = await run.stop();
    expect(stop).toMatchObject({ reason: 'function breakpoint', breakpointIds: ['f'] });
    expect(await run.locals(stop)).toEqual({ i: '4' });
  });

  it('on the first line of a module and in a lambda are passed once per pass', async () => {
    const { run } = await scene.program('double = lambda n: n * 2\nprint(double(1), double(2))\n', (file) => ({
      lines: [line(file, 1, { hitCondition: { operator: '==', count: 99 } })],
    }));
    await run.end();
    expect(await run.target.breakpointStatistics()).toMatchObject([{ hits: 3 }]);
  });

  it('can be set, changed and removed while the program runs', async () => {
    const { run, file } = await scene.program('import time\nn = 0\nwhile True:\n    n += 1\n    time.sleep(0.001)\n');
    expect(await run.target.setLineBreakpoints(file, [line(file, 4)])).toMatchObject([{ verified: true }]);
    const stop = await run.stop();
    expect(stop.breakpointIds).toEqual(['4']);
    await run.target.setLineBreakpoints(file, []);
    await run.target.resume(stop.threadId);
    await expect(run.next(300)).rejects.toThrow('Nothing stopped');
  });

  it('stop every thread, or only their own', async () => {
    const threads = `import threading, time

def work():
    n = 0
    while True:
        n += 1
        time.sleep(0.01)

threading.Thread(target=work, name="worker", daemon=True).start()
while True:
    print("tick", flush=True)
    time.sleep(0.02)
`;
    for (const suspendPolicy of ['thread', 'all'] as const) {
      const { run } = await scene.program(threads, (file) => ({ lines: [line(file, 6, { suspendPolicy })] }));
      const stop = await run.stop();
      expect(stop.allThreadsPaused).toBe(suspendPolicy === 'all');
      expect((await run.target.threads()).find(({ id }) => id === stop.threadId)).toMatchObject({
        name: 'worker',
        state: 'paused',
      });
      // A thread in the middle of a call stops at its next line, and its last words may still be on their way.
      await new Promise((resolve) => setTimeout(resolve, 200));
      const printsMeanwhile = async () => {
        const before = run.output().length;
        await new Promise((resolve) => setTimeout(resolve, 400));
        return run.output().length > before;
      };
      await expect.poll(printsMeanwhile).toBe(suspendPolicy === 'thread');
      await run.target.resume(stop.threadId);
      expect((await run.stop()).breakpointIds).toEqual(['6']);
    }
  });
});
