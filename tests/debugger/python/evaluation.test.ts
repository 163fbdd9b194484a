import { describe, expect, it } from 'vitest';
import { line } from './harness.ts';
import { scenes } from './support.ts';

const program = `import time
log = []

def helper(n):
    log.append(n)
    return n * 2

class Thing:
    @property
    def size(self):
        log.append("size")
        return 1

def main():
    numbers = [3, 1, 2]
    name = "Ada"
    thing = Thing()
    total = 0
    for number in numbers:
        total += number
    print("log", log, total)

main()
`;

const scene = scenes();

async function paused() {
  const { run, file } = await scene.program(program, (path) => ({
    lines: [line(path, 19), line(path, 5, { id: 'helper' })],
  }));
  return { run, file, stop: await run.stop() };
}

describe('evaluation in a paused Python frame', () => {
  it('sees locals, globals, comprehensions and several lines', async () => {
    const { run, stop } = await paused();
    expect(await run.evaluate(stop, 'name + "!"')).toBe("'Ada!'");
    expect(await run.evaluate(stop, '[n for n in numbers if n < len(name)]')).toBe('[1, 2]');
    expect(await run.evaluate(stop, 'sorted(numbers, key=lambda n: -n)')).toBe('[3, 2, 1]');
    expect(await run.evaluate(stop, 'x = 5\ny = x * 2\nx + y')).toBe('15');
    expect(await run.evaluate(stop, 'if True:\n    total = 100\n')).toBe('None');
    expect(await run.evaluate(stop, 'total')).toBe('100');
    expect(await run.evaluate(stop, 'numbers', { index: 0 })).toBe('[3, 1, 2]');
    expect(await run.evaluate(stop, 'main.__name__', { index: 1 })).toBe("'main'");
  });

  it('fails in the words of the program, and the session stays', async () => {
    const { run, stop } = await paused();
    await expect(run.evaluate(stop, '1 / 0')).rejects.toMatchObject({
      code: 'evaluation_error',
      message: 'ZeroDivisionError: division by zero',
    });
    await expect(run.evaluate(stop, 'nope')).rejects.toMatchObject({
      message: "NameError: name 'nope' is not defined",
    });
    await expect(run.evaluate(stop, '1 +')).rejects.toMatchObject({ message: 'SyntaxError: invalid syntax' });
    await expect(run.evaluate(stop, 'exit()')).rejects.toMatchObject({
      message: expect.stringContaining('SystemExit'),
    });
    expect(await run.evaluate(stop, 'name')).toBe("'Ada'");
  });

  it('ends what does not end by itself: a loop, a sleep', async () => {
    const { run, file, stop } = await paused();
    const late = { timeoutMs: 300 };
    await expect(run.evaluate(stop, 'while True: pass', late)).rejects.toMatchObject({
      message: expect.stringContaining('300 ms'),
    });
    await expect(
      run.evaluate(stop, 'try:\n    while True: pass\nexcept Exception:\n    pass', late),
    ).rejects.toMatchObject({ code: 'evaluation_error' });
    const began = performance.now();
    await expect(run.evaluate(stop, 'time.sleep(20)', late)).rejects.toMatchObject({ code: 'evaluation_error' });
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(await run.evaluate(stop, 'total')).toBe('0');
    await run.target.setLineBreakpoints(file, []);
    await run.target.resume(stop.threadId);
    await run.end();
    expect(run.output()).toBe('log [] 6\n');
  });

  it('runs over a breakpoint without stopping in it', async () => {
    const { run, stop } = await paused();
    expect(await run.evaluate(stop, 'helper(21)')).toBe('42');
    expect(await run.evaluate(stop, 'total')).toBe('0');
  });

  it('in read-only mode computes what has no effect and refuses the rest', async () => {
    const { run, stop } = await paused();
    const readOnly = { readOnly: true };
    for (const [expression, value] of [
      ['numbers[0] + len(name)', '6'],
      ['[n * 2 for n in numbers if n > 1]', '[6, 4]'],
      ['name.upper()', "'ADA'"],
      ['sorted(numbers)', '[1, 2, 3]'],
      ['{n: str(n) for n in numbers}', "{3: '3', 1: '1', 2: '2'}"],
      ['thing is None', 'False'],
      ['isinstance(thing, Thing)', 'True'],
      ["f'{name} has {len(numbers)}'", "'Ada has 3'"],
    ] as const)
      expect(await run.evaluate(stop, expression, readOnly)).toBe(value);
    for (const expression of [
      'helper(1)',
      'thing.size',
      'numbers.append(4)',
      'numbers.sort()',
      'total := 5',
      '(total := 5)',
      'total = 5',
      'log.clear()',
      '__import__("os").system("true")',
      'open("x")',
      'max(numbers, key=helper)',
      'time.sleep(1)',
      'getattr(thing, "size")',
      '[log.append(1) for n in numbers]',
      'exec("total = 1")',
    ]) {
      await expect(run.evaluate(stop, expression, readOnly), expression).rejects.toMatchObject({
        code: expect.stringMatching(/evaluation_(blocked|error)/),
      });
    }
    expect(await run.evaluate(stop, 'total, log, numbers')).toBe('(0, [], [3, 1, 2])');
  });
});
