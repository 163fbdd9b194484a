import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import { compiled } from './matrix/languages.ts';

const files = {
  'loop.js': `function fill(n) {
  const found = [];
  let total = 0;
  for (let i = 0; i < n; i--) {
    if (i > 0) found.push(total);
  }
  return found;
}
fill(50);
`,
  ...compiled(
    'search',
    `function search(list: number[], key: number) {
  let [lo, hi, rounds] = [0, list.length - 1, 0];
  while (lo <= hi) {
    rounds++;
    const mid = (lo + hi) >> 1;
    if ((list[mid] ?? 0) < key) lo = mid;
  }
  return rounds;
}
search([1, 3, 5, 8], 8);
`,
  ),
  'worker.js': `const { Worker, isMainThread } = require('node:worker_threads');
if (isMainThread) new Worker(__filename);
else {
  let n = 0;
  while (n >= 0)
    n++;
}
`,
  'never.mjs': `setInterval(() => {}, 60_000);
await new Promise(() => {});
`,
  'child.js': "require('node:child_process').execSync('sleep 300');\n",
  'atomics.js': 'const cell = new Int32Array(new SharedArrayBuffer(4));\nAtomics.wait(cell, 0, 0);\n',
  'stdin.js': "console.log('name?');\nrequire('node:fs').readSync(0, Buffer.alloc(8));\n",
  'loop.py': `def bits(n):
    count = 0
    while n:
        n ^= n - 1
        count += 1
    return count


bits(127)
`,
  'recursion.py': `import sys
import threading
import time


def walk(depth):
    time.sleep(0.002)
    return walk(depth + 1)


sys.setrecursionlimit(10**7)
threading.stack_size(256 * 1024 * 1024)
threading.Thread(target=walk, args=(0,)).start()
`,
  'deadlock.py': `import threading

a, b = threading.Lock(), threading.Lock()
both = threading.Barrier(2)


def worker():
    with b:
        both.wait()
        with a: pass


threading.Thread(target=worker, name="worker").start()
with a:
    both.wait()
    with b:
        pass
`,
  'held.py': `import threading

lock = threading.RLock()
held = threading.Event()


def hold():
    lock.acquire()
    held.set()
    threading.Event().wait()


threading.Thread(target=hold, name="holder").start()
held.wait()
lock.acquire()
`,
  'join.py': `import queue
import threading

work = queue.Queue()
thread = threading.Thread(target=lambda: work.get(), name="consumer")
thread.start()
thread.join()
`,
  'tasks.py': `import asyncio


async def load():
    return await asyncio.get_running_loop().create_future()


async def main():
    await asyncio.gather(load(), load())


asyncio.run(main())
`,
  'ask.py': 'name = input("name? ")\n',
  'child.py': 'import subprocess\n\nsubprocess.run(["sleep", "300"])\n',
  'native.py': 'def work():\n    return sum(range(10**13))\n\n\nwork()\n',
  'restarts.py': `import os
import subprocess
import sys

if "AGAIN" in os.environ:
    print("again", sys.argv[1:])
    raise KeyError("in the child")
sys.exit(subprocess.call([sys.executable, *sys.orig_argv[1:]], env={**os.environ, "AGAIN": "1"}))
`,
  'orphan.py': `import os
import time

if os.fork():
    os._exit(0)
turn = 0
while True:
    time.sleep(0.02)
    turn += 1
`,
  'polling.py': 'import time\n\ntries = 0\nwhile True:\n    tries += 1\n    time.sleep(0.02)\n',
};

describe('a program that hangs is told by what it does', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'probe' });
  });
  afterAll(() => ide.dispose());

  it.each([
    ['an endless loop', 'loop.js', /It was busy[^]*at fill loop\.js:[45]: [^]*i: -[\d,]+ → -[\d,]+;[^]*found = \[\]/],
    [
      'an endless loop in TypeScript',
      'dist/search.js',
      /It was busy[^]*at search src\/search\.ts:\d: [^]*rounds: [\d,]+ → [\d,]+; unchanged: [^]*hi = 3/,
    ],
    ['a busy worker', 'worker.js', /It was busy[^]*worker 1[^]*worker\.js:[56][^]*n: [\d,]+ → [\d,]+[^]*main[^]*idle/],
    ['a promise that is never settled', 'never.mjs', /It was idle: no code runs; open: [^\n]*Timeout/],
    ['a synchronous child process', 'child.js', /inside a native call[^\n]*waiting for a child process: .*sleep 300/],
    ['a wait for memory that nobody writes', 'atomics.js', /waiting in `futex`[^]*at <module> atomics\.js:2: Atomics/],
    ['a read of its input', 'stdin.js', /inside a native call[^\n]*waiting for input\.\nOutput:\nname\?/],
  ])('in Node, %s', async (_, program, seen) => {
    expect(await probed(agent, program)).toMatch(seen);
  });

  it.each([
    [
      'an endless loop',
      'loop.py',
      /It was busy[^]*at bits loop\.py:[345]: [^]*count: [\d,]+ → [\d,]+; unchanged: n = 1/,
    ],
    [
      'a recursion that never ends',
      'recursion.py',
      /nest deeper and deeper \(\d+ → [\d,]+ frames\)[^]*at walk recursion/,
    ],
    [
      'a deadlock of two threads',
      'deadlock.py',
      /in a deadlock: 2 threads wait for each other\.\n.*MainThread: waiting in `with b` for a lock held by thread \S+ \(worker\) at <module> deadlock\.py:16: with b:\n.*worker: waiting in `with a` for a lock held by thread \S+ \(MainThread\) at worker deadlock\.py:10/,
    ],
    [
      'a lock that another thread keeps',
      'held.py',
      /waiting in `lock\.acquire` for a lock held by thread \S+ \(holder\)\.\n.*held\.py:15: lock\.acquire\(\)\n.*holder: waiting in `Event\.wait` at hold held\.py:10/,
    ],
    [
      'a thread that does not end',
      'join.py',
      /waiting in `Thread\.join` for thread \S+ \(consumer\) to end[^]*consumer: waiting in `Queue\.get` at/,
    ],
    ['tasks that nothing wakes', 'tasks.py', /It was idle: no code runs; 3 asyncio tasks wait: [^\n]*load tasks\.py:5/],
    ['a read of its input', 'ask.py', /It was waiting for input\.\nat <module> ask\.py:1: name = input[^]*name\?/],
    [
      'a child process',
      'child.py',
      /waiting[^\n]* for a child process: sleep 300 \(pid \d+\)\.\nat <module> child\.py:3/,
    ],
    ['a native call', 'native.py', /inside a native call[^]*at work native\.py:2: return sum\(range\(10\*\*13\)\)/],
    [
      'a wait that polls',
      'polling.py',
      /It was sleeping in `time\.sleep`\.\nat <module> polling\.py:6[^]*tries: \d+ → \d+/,
    ],
  ])('in Python, %s', async (_, program, seen) => {
    expect(await probed(agent, program)).toMatch(seen);
  });

  it('and every thread can be seen with its stack while it runs', async () => {
    const debuggerAgent = await ide.connect({ face: 'debugger' });
    await debuggerAgent.data('start_debug_session', { program: 'deadlock.py', wait_ms: 800 });
    expect(await debuggerAgent.data('list_threads')).toMatchObject({
      threads: [
        { name: 'MainThread', doing: expect.stringContaining('(worker)'), stack: ['<module> deadlock.py:16'] },
        { name: 'worker', doing: expect.stringContaining('(MainThread)'), stack: ['worker deadlock.py:10'] },
      ],
    });
    await debuggerAgent.data('stop_debug_session');
    await debuggerAgent.close();
  });

  it.each(['loop.js', 'loop.py'])('and goes on running after every answer of a session: %s', async (program) => {
    const debuggerAgent = await ide.connect({ face: 'debugger' });
    const started = await debuggerAgent.data('start_debug_session', { program, wait_ms: 800 });
    expect(started).toMatchObject({ state: 'running', activity: { summary: expect.stringMatching(/^busy/) } });
    const status = await debuggerAgent.data('get_debug_session_status', { wait_ms: 800 });
    expect(status).toMatchObject({
      state: 'running',
      activity: { threads: [{ at: expect.stringContaining(program), changes: [expect.stringContaining('→')] }] },
    });
    expect(await debuggerAgent.data('pause_execution')).toMatchObject({ state: 'paused', stop: { reason: 'pause' } });
    expect(await debuggerAgent.data('resume_execution', { wait_ms: 800 })).toMatchObject({
      state: 'running',
      activity: { summary: expect.stringMatching(/^busy/) },
    });
    await debuggerAgent.data('stop_debug_session');
    await debuggerAgent.close();
  });
});

describe('a program that leaves its first process', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'debugger' });
  });
  afterAll(() => ide.dispose());

  it('by a fork whose parent ends goes on being debugged, and every call answers in time', async () => {
    await agent.data('start_debug_session', { program: 'orphan.py', wait_ms: 1500 });
    const begun = Date.now();
    expect(await agent.data('get_debug_session_status', { wait_ms: 600 })).toMatchObject({
      state: 'running',
      activity: { threads: [{ at: '<module> orphan.py:8' }] },
    });
    expect(await agent.data('pause_execution')).toMatchObject({ state: 'paused', stop: { reason: 'pause' } });
    expect(await agent.data('step_over')).toMatchObject({ stop: { reason: 'step' } });
    expect(await agent.data('resume_execution', { wait_ms: 100 })).toMatchObject({ state: 'running' });
    expect(await agent.data('list_threads')).toMatchObject({ count: 1 });
    await agent.data('stop_debug_session');
    expect(Date.now() - begun).toBeLessThan(12_000);
  });

  it('by starting itself again, as reloaders do, is debugged there', async () => {
    const stopped = await agent.data('start_debug_session', { program: 'restarts.py', args: ['--fast'] });
    expect(stopped).toMatchObject({
      output: "again ['--fast']\n",
      stop: { reason: 'exception', location: { line: 7 }, exception: { type: 'KeyError' } },
    });
    await agent.data('stop_debug_session');
  });
});

async function probed(agent: TestClient, program: string): Promise<string> {
  const text = await agent.text('debug_probe', { program, wait_ms: 2000 });
  expect(text).toContain('The program was still running after 2.0 s and was ended.');
  return text;
}
