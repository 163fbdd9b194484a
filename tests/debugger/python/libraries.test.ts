import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberLibraries, pythonEnvironment } from '../../harness/foreignTool.ts';
import { type RunningSightline, startSightline, type TestClient } from '../../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';

const program = `import dataclasses
import numpy as np
import pandas as pd


@dataclasses.dataclass
class Point:
    x: int
    label: str


class Hostile:
    def __init__(self):
        self.inside = [1, 2]

    def __repr__(self):
        raise RuntimeError("repr")

    @property
    def broken(self):
        raise ValueError("property")


def look():
    vector = np.arange(1_000_000)
    matrix = np.zeros((1000, 1000))
    scalar = np.float64(2.5)
    empty = np.array([])
    frame = pd.DataFrame({"id": range(500_000), "name": "x", "price": 1.5})
    column = frame["price"]
    index = frame.index
    dates = pd.date_range("2026-01-01", periods=3).to_series()
    point = Point(3, "three")
    hostile = Hostile()
    cyclic = {"name": "loop"}
    cyclic["self"] = cyclic
    million = list(range(1_000_000))
    table = {n: n * n for n in range(100_000)}
    members = set(range(5))
    raw = bytes(range(256)) * 100
    nested = {"a": {"b": {"c": {"d": [1, 2, {"e": point}]}}}}
    return vector  # look


look()
`;

describe('values of numpy, pandas and Python itself', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  let started: string;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    const environment = await pythonEnvironment((await ensureEngine('python')).path, 'numbers', numberLibraries);
    const PATH = [join(environment, 'bin'), process.env['PATH']].join(delimiter);
    ide = await startSightline({ project: { 'app.py': program }, env: { SIGHTLINE_CACHE: testCacheDir, PATH } });
    agent = await ide.connect({ face: 'debugger' });
    await agent.data('set_breakpoint', { file_path: 'app.py', line: 1, line_text: '# look' });
    started = await agent.text('start_debug_session', { program: 'app.py', wait_ms: 40_000 });
  }, 240_000);
  afterAll(() => ide.dispose());

  it('fit into the answer of a stop', () => {
    expect(started).toContain('"reason":"breakpoint"');
    expect(started.length).toBeLessThan(6000);
  });

  it('are shown in a line each', async () => {
    const { variables } = (await agent.data('get_variables')) as { variables: { name: string; value: string }[] };
    expect(Object.fromEntries(variables.map(({ name, value }) => [name, value]))).toEqual({
      vector: 'ndarray(1000000,) int64 [0, 1, 2, 3, 4, 5, 6, 7, …]',
      matrix: 'ndarray(1000, 1000) float64 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, …]',
      scalar: 'np.float64(2.5)',
      empty: 'ndarray(0,) float64 []',
      frame: 'DataFrame 500000 rows x 3 columns {id: int64, name: object, price: float64}',
      column: 'Series(500000) float64 [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, …]',
      index: 'RangeIndex(500000) int64 [0, 1, 2, 3, 4, 5, 6, 7, …]',
      dates: expect.stringMatching(/^Series\(3\) datetime64\[ns\] \[Timestamp\(/),
      point: "Point(x=3, label='three')",
      hostile: 'Hostile(inside=[1, 2])',
      cyclic: expect.stringMatching(/^#(\d+) {'name': 'loop', 'self': #\1}$/),
      million: '[0, 1, 2, 3, 4, 5, 6, 7, …] (1000000)',
      table: '{0: 0, 1: 1, 2: 4, 3: 9, 4: 16, 5: 25, 6: 36, 7: 49, …} (100000)',
      members: '{0, 1, 2, 3, 4}',
      raw: expect.stringMatching(/^b'.*'… \(25600 bytes\)$/),
      nested: expect.stringContaining("{'a': {'b': {'c': {"),
    });
  });

  it.each([
    [
      'vector',
      999_998,
      [
        ['999998', 'np.int64(999998)'],
        ['999999', 'np.int64(999999)'],
      ],
      1_000_000,
    ],
    ['matrix', 999, [['999', 'ndarray(1000,) float64 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, …]']], 1000],
    [
      'matrix[999]',
      998,
      [
        ['998', 'np.float64(0.0)'],
        ['999', 'np.float64(0.0)'],
      ],
      1000,
    ],
    [
      'frame',
      1,
      [
        ['name', "Series(500000) object ['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x', …]"],
        ['price', 'Series(500000) float64 [1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, …]'],
      ],
      3,
    ],
    ['frame["id"]', 499_999, [['499999', '499999']], 500_000],
    [
      'million',
      500_000,
      [
        ['500000', '500000'],
        ['500001', '500001'],
      ],
      1_000_000,
    ],
    ['table', 99_999, [['99999', '9999800001']], 100_000],
    [
      'hostile',
      0,
      [
        ['inside', '[1, 2]'],
        ['broken', '(property)'],
      ],
      2,
    ],
    [
      'cyclic["self"]["self"]',
      0,
      [
        ["'name'", "'loop'"],
        ["'self'", expect.stringMatching(/^#(\d+) {'name': 'loop', 'self': #\1}$/)],
      ],
      2,
    ],
  ] as const)('open by path and range: %s', async (path, start, expected, total) => {
    const page = await agent.data('expand_variable', { path, start, count: 2 });
    const { variables } = page as { variables: { name: string; value: string }[] };
    expect(variables.map(({ name, value }) => [name, value])).toEqual(expected);
    expect(page['total']).toBe(total);
  });

  it('open by id and to a depth', async () => {
    const { variables } = (await agent.data('get_variables', { filter: 'nested' })) as { variables: { id: string }[] };
    const byId = await agent.data('expand_variable', { id: variables[0]?.id, depth: 6 });
    expect(byId['variables']).toMatchObject([
      { name: "'a'", value: "{'b': {'c': {'d': [1, 2, {'e': Point(x=3, label='three')}]}}}" },
    ]);
    const shallow = await agent.data('expand_variable', { path: 'nested', depth: 1 });
    expect(shallow['variables']).toMatchObject([{ name: "'a'", value: "{'b': {…} (1)}" }]);
  });
});
