import { describe, expect, it } from 'vitest';
import type { ExceptionBreakpointSpec } from '../../../src/engine/debugger/model.ts';
import { uncaught } from './harness.ts';
import { scenes } from './support.ts';

const scene = scenes();

const app = `import json

def parse(text):
    return json.loads(text)

def careful():
    try:
        int("x")
    except ValueError:
        return 0

def main():
    careful()
    data = '{"a": '
    return parse(data)

main()
`;

/** A task that nobody waits for, and an exception that the program reports itself. */
const reporting =
  'import asyncio\nimport logging\n\nasync def lost():\n    raise RuntimeError("nobody waits")\n\nasync def main():\n    task = asyncio.create_task(lost())\n    await asyncio.sleep(0.01)\n    del task\n\nasyncio.run(main())\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    logging.exception("own words")\n';

describe('exceptions in Python', () => {
  it('stop where the program lets them go, in its own frame, and say where they were thrown', async () => {
    const { run, file } = await scene.program(app);
    const stop = await run.stop();
    expect(stop.reason).toBe('exception');
    expect(stop.exception).toMatchObject({
      type: 'JSONDecodeError',
      message: 'Expecting value: line 1 column 7 (char 6)',
      uncaught: true,
      thrownAt: { file: expect.stringContaining('json') },
    });
    expect((await run.frames(stop)).map(({ name, location, isLibrary }) => [name, location?.line, isLibrary])).toEqual([
      ['parse', 4, false],
      ['main', 15, false],
      ['<module>', 17, false],
    ]);
    expect((await run.top(stop)).location?.file).toBe(file);
    expect(await run.locals(stop)).toEqual({ text: `'{"a": '` });
    expect(await run.evaluate(stop, 'data', { index: 1 })).toBe(`'{"a": '`);
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 1 });
    expect(run.output('stderr')).toMatch(
      /^Traceback \(most recent call last\):\n {2}File ".*app.py", line 17, in <module>/,
    );
    expect(run.output('stderr')).not.toContain('launch.py');
  });

  it('do not stop when nobody asked for them', async () => {
    const { run } = await scene.program(app, () => ({ exceptions: [] }));
    expect(await run.end()).toEqual({ code: 1 });
  });

  it('stop when they are raised, if asked: by class, also those that are caught', async () => {
    const caught: ExceptionBreakpointSpec = {
      id: 'v',
      exceptionClass: 'ValueError',
      caught: true,
      uncaught: false,
      userUnhandled: false,
    };
    const { run } = await scene.program(app, () => ({ exceptions: [caught] }));
    const stop = await run.stop();
    expect(stop).toMatchObject({ reason: 'exception', breakpointIds: ['v'], exception: { type: 'ValueError' } });
    expect((await run.top(stop)).name).toBe('careful');
  });

  it('stop once where they were raised, not again in every caller', async () => {
    const caught: ExceptionBreakpointSpec = { id: 'all', caught: true, uncaught: false, userUnhandled: false };
    const { run } = await scene.program(
      'import json\n\ndef inner(x):\n    return 1 / x\n\ndef outer(x):\n    try:\n        return inner(x)\n    except ZeroDivisionError:\n        raise\n\nfor work in (lambda: outer(0), lambda: json.loads("{")):\n    try:\n        work()\n    except ValueError:\n        print("json")\n    except ZeroDivisionError:\n        print("zero")\n',
      () => ({ exceptions: [caught] }),
    );
    const places: unknown[] = [];
    for (let count = 0; count < 2; count++) {
      const stop = await run.stop();
      const { name, location } = await run.top(stop);
      places.push([stop.exception?.type, name, location?.line]);
      await run.target.resume(stop.threadId);
    }
    expect(places).toEqual([
      ['ZeroDivisionError', 'inner', 4],
      ['JSONDecodeError', '<lambda>', 12],
    ]);
    expect(await run.end()).toEqual({ code: 0 });
  });

  it('stop also in a program with an excepthook of its own', async () => {
    const { run } = await scene.program(
      'import sys\n\ndef hook(kind, error, traceback):\n    print("hooked", error)\n\nsys.excepthook = hook\n\ndef work():\n    raise KeyError("end")\n\nwork()\n',
    );
    const stop = await run.stop();
    expect(await run.top(stop)).toMatchObject({ name: 'work', location: { line: 9 } });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 1 });
    expect(run.output('stdout')).toBe("hooked 'end'\n");
  });

  it('that a library caught and reported are told without a stop', async () => {
    const { run } = await scene.program(reporting);
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('handled')).toMatch(
      /^RuntimeError: nobody waits at app.py:5 in lost, reported by asyncio\S+: Task exception was never retrieved\n$/,
    );
    expect(run.output('stderr')).toContain('own words');
  });

  it('that a library caught and reported stop when that was asked for', async () => {
    const { run } = await scene.program(reporting, () => ({ exceptions: [{ ...uncaught, reported: true }] }));
    const stop = await run.stop();
    expect(await run.top(stop)).toMatchObject({ name: 'lost', location: { line: 5 } });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
  });

  it('name the breakpoints that they met, the one asked for most precisely first', async () => {
    const precise: ExceptionBreakpointSpec = { ...uncaught, id: 'precise', exceptionClass: 'KeyError' };
    const other: ExceptionBreakpointSpec = { ...uncaught, id: 'other', exceptionClass: 'OSError' };
    const { run } = await scene.program('{}["k"]\n', () => ({ exceptions: [uncaught, other, precise] }));
    expect((await run.stop()).breakpointIds).toEqual(['precise', 'uncaught']);
  });

  it('in a recursion without end stop at the call, and the debugger is no part of the stack', async () => {
    const { run } = await scene.program('def down(n):\n    deeper = n + 1\n    return down(deeper)\n\ndown(0)\n');
    const stop = await run.stop();
    expect(stop.exception?.type).toBe('RecursionError');
    expect(stop.exception?.thrownAt).toBeUndefined();
    const frames = await run.frames(stop);
    expect(frames.slice(0, 3).map(({ location }) => location?.line)).toEqual([3, 3, 3]);
    expect(Object.keys(await run.locals(stop))).toEqual(['n', 'deeper']);
  });

  it('tell the values of a failed assertion and the cause of a chained exception', async () => {
    const { run } = await scene.program(
      'def check(items):\n    expected = 3\n    assert len(items) == expected\n\ntry:\n    {}["k"]\nexcept KeyError as e:\n    try:\n        check([1])\n    except AssertionError as a:\n        raise a from e\n',
    );
    const stop = await run.stop();
    expect(stop.exception).toMatchObject({ type: 'AssertionError', message: '' });
    expect(stop.exception?.details.map(({ name, value }) => `${name} = ${value}`)).toEqual(['len(items) = 1']);
    expect(stop.exception?.related).toMatchObject([
      { relation: 'cause', type: 'KeyError', message: "'k'", location: { line: 6 }, functionName: '<module>' },
    ]);
  });

  it('of a plain assert call nothing again', async () => {
    const { run } = await scene.program(
      'calls = []\n\ndef double(items):\n    calls.append(1)\n    return items\n\nitems = [1, 2]\nassert double(items) == [len(items)], "wrong"\n',
    );
    const stop = await run.stop();
    expect(stop.exception).toMatchObject({ type: 'AssertionError', message: 'wrong' });
    expect(stop.exception?.details.map(({ name, value }) => `${name} = ${value}`)).toEqual(['[len(items)] = [2]']);
    expect(await run.locals(stop)).toMatchObject({ calls: '[1]' });
    await run.target.resume(stop.threadId);
    await run.end();
  });

  it('that pass a context manager stop at the line that raised', async () => {
    const { run } = await scene.program(
      'import contextlib\n\n@contextlib.contextmanager\ndef scope():\n    yield\n\ndef work(n):\n    with scope():\n        return 1 / n\n\nwork(0)\n',
    );
    const stop = await run.stop();
    expect(await run.top(stop)).toMatchObject({ name: 'work', location: { line: 9 } });
    const parts = await scene.test(
      {
        'test_parts.py':
          'import unittest\n\nclass Parts(unittest.TestCase):\n    def test_even(self):\n        for n in (2, 3):\n            with self.subTest(n=n):\n                self.assertEqual(n % 2, 0)\n',
      },
      'test_parts.py',
    );
    const part = await parts.run.stop();
    expect(await parts.run.top(part)).toMatchObject({ name: 'Parts.test_even', location: { line: 7 } });
  });

  it('in a thread stop as well', async () => {
    const { run } = await scene.program(
      'import threading\n\ndef work(n):\n    return 1 / n\n\nt = threading.Thread(target=work, args=(0,), name="worker")\nt.start()\nt.join()\nprint("over")\n',
    );
    const stop = await run.stop();
    expect(stop.exception).toMatchObject({ type: 'ZeroDivisionError', message: 'division by zero' });
    expect((await run.top(stop)).name).toBe('work');
    const threads = await run.target.threads();
    expect(threads.find(({ id }) => id === stop.threadId)).toMatchObject({ name: 'worker', state: 'paused' });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 0 });
    expect(run.output('stdout')).toBe('over\n');
  });

  it('that are part of a normal end do not stop: SystemExit, StopIteration, KeyboardInterrupt handled', async () => {
    const { run } = await scene.program(
      'import sys\nlist(iter([1]))\nnext(iter([]), None)\ntry:\n    raise KeyboardInterrupt\nexcept KeyboardInterrupt:\n    pass\nsys.exit(4)\n',
    );
    expect(await run.end()).toEqual({ code: 4 });
  });
});

describe('failing tests in Python', () => {
  const code = 'def total(items):\n    result = 0\n    for item in items:\n        result = item\n    return result\n';

  it('stop at the assertion under pytest, with the values', async () => {
    const { run } = await scene.test(
      {
        'shop.py': code,
        'test_shop.py':
          'import pytest\nfrom shop import total\n\ndef test_fine():\n    with pytest.raises(ValueError):\n        int("x")\n\ndef test_total():\n    items = [1, 2]\n    assert total(items) == 3\n',
      },
      'test_shop.py',
    );
    const stop = await run.stop();
    expect(stop).toMatchObject({
      reason: 'exception',
      exception: { type: 'AssertionError', message: expect.stringContaining('assert 2 == 3') },
    });
    expect(await run.top(stop)).toMatchObject({ name: 'test_total', location: { line: 10 }, isLibrary: false });
    expect(await run.locals(stop)).toMatchObject({ items: '[1, 2]' });
    await run.target.resume(stop.threadId);
    expect(await run.end()).toEqual({ code: 1 });
    expect(run.output()).toContain('1 failed, 1 passed');
  });

  it('run alone by name and by line', async () => {
    const files = {
      'test_two.py':
        'class TestTwo:\n    def test_a(self):\n        assert 1 == 2\n\n    def test_b(self):\n        value = 5\n        assert value == 6\n',
    };
    for (const test of ['test_two.py::TestTwo::test_b', 'test_two.py:7']) {
      const { run } = await scene.test(files, test);
      const stop = await run.stop();
      expect(await run.top(stop)).toMatchObject({ name: 'TestTwo.test_b', className: 'TestTwo', methodName: 'test_b' });
      await run.target.resume(stop.threadId);
      await run.end();
      expect(run.output()).toContain('1 failed');
    }
  });

  it('stop in the code under test when it throws', async () => {
    const { run } = await scene.test(
      {
        'shop.py': 'def price(item):\n    return item["price"] * 2\n',
        'test_shop.py': 'from shop import price\n\ndef test_price():\n    assert price({"prize": 1}) == 2\n',
      },
      'test_shop.py::test_price',
    );
    const stop = await run.stop();
    expect(stop.exception).toMatchObject({ type: 'KeyError', message: "'price'" });
    expect((await run.frames(stop)).slice(0, 2).map(({ name }) => name)).toEqual(['price', 'test_price']);
  });

  it('stop in the test of unittest, not in unittest itself', async () => {
    const { run } = await scene.test(
      {
        'shop.py': code,
        'test_shop.py':
          'import unittest\nfrom shop import total\n\nclass ShopTest(unittest.TestCase):\n    def test_total(self):\n        got = total([1, 2])\n        self.assertEqual(got, 3)\n\nif __name__ == "__main__":\n    unittest.main()\n',
        'run.py': 'import unittest\nunittest.main(module="test_shop", argv=["x"])\n',
      },
      'test_shop.py',
    );
    const stop = await run.stop();
    expect(stop.exception).toMatchObject({
      type: 'AssertionError',
      message: '2 != 3',
    });
    expect(stop.exception?.thrownAt).toBeUndefined();
    expect(await run.top(stop)).toMatchObject({ name: 'ShopTest.test_total', location: { line: 7 } });
    expect(await run.locals(stop)).toMatchObject({ self: '<ShopTest object>', got: '2' });
    expect(stop.exception?.details).toMatchObject([
      { name: 'left', value: '2' },
      { name: 'right', value: '3' },
    ]);
    expect(stop.exception?.differences).toEqual([{ path: '', left: '2', right: '3' }]);
  });
});
