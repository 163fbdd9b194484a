import { describe, expect, it } from 'vitest';
import { line } from './harness.ts';
import { scenes } from './support.ts';

const threads = `import threading, time

ready = threading.Event()


def waits():
    ready.wait()


def works():
    n = 0
    while not ready.is_set():
        n += 1


def main():
    for each in (waits, works):
        threading.Thread(target=each, name=each.__name__, daemon=True).start()
    time.sleep(0.1)
    value = 1
    ready.set()


main()
`;

const tasks = `import asyncio


async def fetch(name, delay):
    await asyncio.sleep(delay)
    answer = name + "!"
    if name == "b":
        raise LookupError("no " + name)
    return answer


async def main():
    first = await fetch("a", 0.01)
    results = await asyncio.gather(fetch("c", 0.01), fetch("d", 0.02))
    print(first, results)
    await fetch("b", 0)


asyncio.run(main())
`;

const scene = scenes();

describe('a Python program with more than one thread of work', () => {
  it('lists its threads with their states; the others go on when only one is to stop', async () => {
    const { run } = await scene.program(threads, (file) => ({ lines: [line(file, 20, { suspendPolicy: 'thread' })] }));
    const stop = await run.stop();
    const states = async () => Object.fromEntries((await run.target.threads()).map(({ name, state }) => [name, state]));
    await expect.poll(states).toEqual({ MainThread: 'paused', waits: 'waiting', works: 'running' });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
  });

  it('stops in each coroutine with its own values, and steps out to whoever awaits it', async () => {
    const { run } = await scene.program(tasks, (file) => ({ lines: [line(file, 6)] }));
    const seen: (string | undefined)[] = [];
    const first = await run.stop();
    expect((await run.frames(first)).map(({ name }) => name).slice(0, 2)).toEqual(['fetch', 'main']);
    seen.push((await run.locals(first))['name']);
    await run.target.step(first.threadId, 'out');
    const back = await run.stop();
    expect((await run.top(back)).name).toBe('main');
    await run.target.resume(back.threadId);
    for (let i = 0; i < 2; i++) {
      const stop = await run.stop();
      seen.push((await run.locals(stop))['name']);
      await run.target.resume(stop.threadId);
    }
    expect(seen).toEqual(["'a'", "'c'", "'d'"]);
  });

  it('stops where a task fails that nobody catches', async () => {
    const { run } = await scene.program(tasks);
    const stop = await run.stop();
    expect(stop.reason).toBe('exception');
    expect(await run.top(stop)).toMatchObject({ name: 'fetch', location: { line: 8 } });
    expect(await run.locals(stop)).toMatchObject({ name: "'b'" });
  });

  it('are gone when the program has let them go', async () => {
    const { run } = await scene.program(
      'import gc, threading, weakref\n\nclass Holder(threading.Thread):\n    pass\n\nholder = Holder()\nseen = weakref.ref(holder)\nholder.start()\nholder.join()\ndel holder\ngc.collect()\nprint(seen() is None)\n',
    );
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('stdout')).toBe('True\n');
  });
});
