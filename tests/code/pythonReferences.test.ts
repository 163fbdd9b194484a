import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSightline, type RunningSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';

const files = {
  'shop/__init__.py': 'from .prices import total\n',
  'shop/prices.py':
    'import sys\n\nif sys.platform == "win32":\n    def total(items):\n        return len(items)\nelse:\n    def total(items):\n        return sum(items)\n\n\ndef twice(items):\n    return total(items) * 2\n',
  'shop/report.py':
    'import sys\nimport importlib.metadata\nfrom . import prices\nfrom .prices import twice\n\n\ndef version():\n    # importlib.metadata\n    if sys.platform == "win32":\n        return twice([1])\n    return importlib.metadata.version("importlib.metadata"), prices.total([1])\n',
  'hooks.py':
    'from typing import Generic, TypeVar, final\n\nT = TypeVar("T")\n\n\n@final\nclass Result(Generic[T]):\n    @property\n    def failure(self) -> bool:\n        return False\n\n\nclass Hook:\n    def has_spec(self) -> bool:\n        return True\n\n\nclass Other:\n    def has_spec(self) -> bool:\n        return False\n',
  'plugins.py':
    'from hooks import Hook, Other, Result\n\n\ndef after(outcome: Result[object], hooks: dict) -> bool:\n    hook = getattr(hooks, "x", None)\n    if hook is None:\n        hook = Hook()\n    elif hook.has_spec():  # hook.has_spec\n        return outcome.failure\n    return Hook().has_spec() and Other().has_spec()\n',
  'fast/__init__.py': '',
  'fast/core.py': 'def speed(x):\n    return x * 2\n',
  'fast/core.pyi': 'def speed(x: int) -> int: ...\n',
  'fast/use.py': [
    'from abc import ABC',
    'from dataclasses import dataclass',
    'from typing import Protocol, overload',
    'from fast.core import speed',
    '',
    '',
    'class Saver(Protocol):',
    '    name: str',
    '    def keep(self) -> int: ...',
    '',
    '',
    'class FileSaver:',
    '    name = "file"',
    '    def keep(self) -> int:',
    '        return speed(1)',
    '',
    '',
    'class Nameless:',
    '    def keep(self) -> int:',
    '        return 1',
    '',
    '',
    '@dataclass',
    'class Order(ABC):',
    '    amount: int = 0',
    '',
    '',
    'class Special(Order):',
    '    pass',
    '',
    '',
    '@overload',
    'def convert(x: int) -> str: ...',
    '@overload',
    'def convert(x: str) -> int: ...',
    'def convert(x):',
    '    return x',
    '',
    '',
    'def run(order: Order) -> None:',
    '    convert(order.amount)',
    '',
  ].join('\n'),
  'fast/lazy.py': 'def __getattr__(name: str) -> int:\n    return 1\n',
  'fast/asks.py': 'from fast import lazy\n\nprint(lazy.anything)\n',
  'main.py': 'import shop.prices\nfrom shop.report import version\n\nprint(shop.prices.total([version()]))\n',
};

describe('references that ty alone does not know', () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    await ensureEngine('ty');
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
    agent = await ide.connect({ face: 'index' });
  }, 180_000);
  afterAll(() => ide.dispose());

  const uses = async (address: Record<string, unknown>) => {
    const { usages } = (await agent.data('ide_find_references', address)) as {
      usages: { file: string; line: number; type: string }[];
    };
    return usages.map(({ file, line, type }) => `${file}:${line} ${type}`).sort();
  };

  it('a module and its stub are one: uses and callers are those of both', async () => {
    const all = [
      'fast/core.py:1 DECLARATION',
      'fast/core.pyi:1 DECLARATION',
      'fast/use.py:15 METHOD_CALL',
      'fast/use.py:4 IMPORT',
    ];
    expect(await uses({ symbol: 'fast/core.py#speed' })).toEqual(all);
    expect(await uses({ symbol: 'fast/core.pyi#speed' })).toEqual(all);
    expect(await uses({ file: 'fast/use.py', line: 15, text: 'speed' })).toEqual(all);
    expect(await agent.data('ide_call_hierarchy', { symbol: 'fast/core.py#speed' })).toMatchObject({
      calls: [{ name: 'FileSaver/keep', callLines: [15] }],
    });
  });

  it('classes that fit a protocol without naming it are its implementations, said to be fitting', async () => {
    expect(await agent.data('ide_find_implementations', { symbol: 'Saver' })).toMatchObject({
      totalCount: 1,
      implementations: [{ name: 'FileSaver', kind: 'fitting class', line: 12 }],
    });
    expect(await agent.data('ide_find_implementations', { symbol: 'Saver/keep' })).toMatchObject({
      implementations: [{ name: 'FileSaver/keep', kind: 'fitting method', line: 14 }],
    });
    expect(await agent.data('ide_type_hierarchy', { symbol: 'Saver' })).toMatchObject({
      subtypes: [{ name: 'FileSaver', edge: 'fits' }],
    });
  });

  it('a subclass, an overloaded callee and a built-in type are told once or not at all', async () => {
    expect(await agent.data('ide_type_hierarchy', { symbol: 'Order', direction: 'subtypes' })).toMatchObject({
      subtypes: [{ name: 'Special' }],
    });
    expect(await agent.data('ide_call_hierarchy', { symbol: 'run', direction: 'callees' })).toMatchObject({
      calls: [{ name: 'convert', line: 36 }],
    });
    const total = await agent.data('ide_inspect_symbol', { symbol: 'Order/amount' });
    expect(total).toMatchObject({ signature: 'amount: int = 0' });
    expect(total['typeDefinition']).toBeUndefined();
    expect(
      (await agent.call('ide_find_definition', { file: 'fast/asks.py', line: 3, text: 'anything' })).error,
    ).toMatchObject({
      message: '"anything" is declared nowhere; its type is: int',
    });
    const at = { file: 'fast/use.py', line: 41, column: 5 };
    const offered = await agent.data('ide_code_completions', { ...at, insert_text: 'order.' });
    expect(offered['completions']).toMatchObject([{ label: 'amount' }]);
    const dunder = await agent.data('ide_code_completions', { ...at, insert_text: 'order.__in' });
    expect(dunder['completions']).toMatchObject([{ label: '__init__' }, { label: '__init_subclass__' }]);
  });

  it('the uses of a module, by its name', async () => {
    expect(await uses({ file: 'shop/report.py', line: 3, text: 'prices' })).toEqual([
      'main.py:1 IMPORT',
      'main.py:4 REFERENCE',
      'shop/__init__.py:1 IMPORT',
      'shop/report.py:11 REFERENCE',
      'shop/report.py:3 IMPORT',
      'shop/report.py:4 IMPORT',
    ]);
  });

  it('a module of the library below another, never in comments and strings', async () => {
    expect(await uses({ file: 'shop/report.py', line: 2, text: 'metadata' })).toEqual([
      'shop/report.py:11 REFERENCE',
      'shop/report.py:2 IMPORT',
    ]);
  });

  it('code for another platform', async () => {
    expect(await uses({ symbol: 'twice' })).toEqual([
      'shop/prices.py:11 DECLARATION',
      'shop/report.py:10 METHOD_CALL',
      'shop/report.py:4 IMPORT',
    ]);
  });

  it('a function that is defined in two branches is one function', async () => {
    const all = [
      'main.py:4 METHOD_CALL',
      'shop/__init__.py:1 IMPORT',
      'shop/prices.py:12 METHOD_CALL',
      'shop/prices.py:4 DECLARATION',
      'shop/prices.py:7 DECLARATION',
      'shop/report.py:11 METHOD_CALL',
    ];
    expect(await uses({ file: 'shop/prices.py', line: 4, text: 'total' })).toEqual(all);
    expect(await uses({ file: 'shop/prices.py', line: 7, text: 'total' })).toEqual(all);
    expect(await uses({ symbol: 'total' })).toEqual(all);
  });

  it('a property that ty loses on generic final classes, asked from either end', async () => {
    const all = ['hooks.py:9 DECLARATION', 'plugins.py:9 REFERENCE'];
    expect(await uses({ symbol: 'Result/failure' })).toEqual(all);
    expect(await uses({ file: 'plugins.py', line: 9, text: 'outcome.failure' })).toEqual(all);
    expect(await agent.data('ide_find_definition', { file: 'plugins.py', line: 9, text: 'failure' })).toMatchObject({
      file: 'hooks.py',
      line: 9,
    });
  });

  it('uses on an object of unknown type are named as possible, not passed over', async () => {
    const data = await agent.data('ide_find_references', { symbol: 'Hook/has_spec' });
    expect(data).toMatchObject({
      totalCount: 2,
      possibleCount: 1,
      possible: [expect.stringContaining('1 not resolved'), 'plugins.py:8 elif hook.has_spec():  # hook.has_spec'],
    });
    const reader = await ide.connect({ face: 'default' });
    const { text } = await reader.call('ide_find_references', { symbol: 'Hook/has_spec' });
    expect(text).toContain('(receiver of unknown or other type):\n plugins.py:8 elif hook.has_spec()');
  });
});
