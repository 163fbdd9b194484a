import { describe, expect, it } from 'vitest';
import { defaultValueLimits, type Variable } from '../../../src/engine/debugger/model.ts';
import { line, type Run } from './harness.ts';
import { scenes } from './support.ts';

const program = `import collections, dataclasses, datetime, decimal, enum, pathlib

@dataclasses.dataclass
class Point:
    x: int
    y: int
    tags: list

class Color(enum.Enum):
    RED = 1

class Hostile:
    def __init__(self):
        self.secret = 5
    def __repr__(self):
        raise RuntimeError("repr")
    def __eq__(self, other):
        raise RuntimeError("eq")
    def __len__(self):
        raise RuntimeError("len")
    @property
    def broken(self):
        raise ValueError("property")

class Slotted:
    __slots__ = ("a", "b")
    def __init__(self):
        self.a = 1

class MyList(list):
    def __len__(self):
        return 10 ** 9
    def __iter__(self):
        while True:
            yield 1

Pair = collections.namedtuple("Pair", "left right")

def scope(argument, *rest, key=None, **more):
    million = list(range(1000000))
    text = "x" * 10_000_000
    cycle = [1]; cycle.append(cycle)
    mapping = {"a": [1, 2, {"deep": [1, [2, [3]]]}], 3: "three", (1, 2): None}
    point = Point(1, -2, ["t"])
    hostile = Hostile()
    slotted = Slotted()
    odd = MyList([1, 2])
    pair = Pair(1, "r")
    color = Color.RED
    when = datetime.date(2026, 1, 2)
    amount = decimal.Decimal("1.50")
    huge = 10 ** 5000
    empty = [], (), {}, set(), ""
    counter = collections.Counter("aab")
    data = b"\\x00" * 5000
    error = KeyError("k")
    return million

scope(1, 2, 3, key="k", extra=True)
`;

const scene = scenes();

describe('values in Python', () => {
  it('are shown within limits and without running the code of the program', async () => {
    const { run } = await scene.program(program, (file) => ({ lines: [line(file, 57)] }));
    const stop = await run.stop();
    const locals = await run.locals(stop);
    expect(locals).toMatchObject({
      argument: '1',
      rest: '(2, 3)',
      key: "'k'",
      more: "{'extra': True}",
      million: '[0, 1, 2, 3, 4, 5, 6, 7, …] (1000000)',
      text: `'${'x'.repeat(160)}'… (10000000 chars)`,
      cycle: expect.stringMatching(/^#(\d+) \[1, #\1\]$/),
      mapping: "{'a': [1, 2, {'deep': […] (2)}], 3: 'three', (…) (2): None}",
      point: "Point(x=1, y=-2, tags=['t'])",
      hostile: 'Hostile(secret=5)',
      slotted: 'Slotted(a=1)',
      odd: 'MyList[1, 2]',
      pair: "Pair(left=1, right='r')",
      color: 'Color.RED',
      when: 'datetime.date(2026, 1, 2)',
      amount: "Decimal('1.50')",
      huge: '<int of 16610 bits>',
      empty: "([], (), {}, set(), '')",
      counter: "Counter{'a': 2, 'b': 1}",
      error: "KeyError('k')",
    });
    expect(Object.values(locals).every((value) => value.length <= defaultValueLimits.maxValueChars)).toBe(true);
  });

  it('open by page, far into a million elements, in a moment', async () => {
    const { run } = await scene.program(program, (file) => ({ lines: [line(file, 57)] }));
    const stop = await run.stop();
    const variables = await run.localVariables(stop);
    const million = named(variables, 'million');
    expect(million.indexedCount).toBe(1_000_000);
    const began = performance.now();
    const page = await open(run, million, 999_998, 5);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(page.map(({ name, value, evaluateName }) => [name, value, evaluateName])).toEqual([
      ['999998', '999998', 'million[999998]'],
      ['999999', '999999', 'million[999999]'],
    ]);
    expect(await open(run, named(variables, 'hostile'), 0, 10)).toMatchObject([
      { name: 'secret', value: '5' },
      { name: 'broken', value: '(property)', kind: 'getter' },
    ]);
    expect((await open(run, named(variables, 'mapping'), 0, 10)).map(({ name }) => name)).toEqual([
      "'a'",
      '3',
      '(1, 2)',
    ]);
    expect((await open(run, named(variables, 'cycle'), 1, 1))[0]?.reference).toBeDefined();
  });

  it('change by path, and the program goes on with the new value', async () => {
    const { run } = await scene.program(
      'class O:\n    def __init__(self):\n        self.items = [{"qty": 1}, {"qty": 2}]\ndef f(order):\n    n = 1\n    return order.items[1]["qty"] + n\nprint("result", f(O()))\n',
      (file) => ({ lines: [line(file, 6)] }),
    );
    const stop = await run.stop();
    const frame = await run.top(stop);
    const set = (path: string, valueExpression: string) =>
      run.target.setVariable({
        threadId: stop.threadId,
        frameId: frame.id,
        path,
        valueExpression,
        timeoutMs: 20_000,
        limits: defaultValueLimits,
      });
    expect(await set('order.items[1]["qty"]', '40 + 1')).toMatchObject({ value: '41', type: 'int' });
    expect(await set('n', '100')).toMatchObject({ value: '100' });
    expect(await run.locals(stop)).toMatchObject({ n: '100' });
    await expect(set('f()', '1')).rejects.toMatchObject({ code: 'evaluation_error' });
    await expect(set('order.nope.x', '1')).rejects.toMatchObject({
      message: expect.stringContaining('AttributeError'),
    });
    await run.target.resume(stop.threadId);
    await run.end();
    expect(run.output()).toBe('result 141\n');
  });
});

function named(variables: Variable[], name: string): Variable {
  const found = variables.find((variable) => variable.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

async function open(run: Run, variable: Variable, start: number, count: number): Promise<Variable[]> {
  const page = await run.target.variables(variable.reference ?? '', { start, count }, defaultValueLimits);
  return page.variables;
}
