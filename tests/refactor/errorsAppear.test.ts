import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refactoringCapabilities } from '../../src/engine/code/refactor/capabilities.ts';
import { treeOf } from '../edits/workbench.ts';
import { ensureEngine } from '../support/engines.ts';
import { globals, RefactorBench, strictConfig } from './scenario.ts';

/*
 * Changes that break something. Asked for plainly they are refused and nothing is changed; with `force` they are made, and the answer
 * begins with the errors that appeared; with `rollback_on_error` they are taken back by themselves.
 */
let bench: RefactorBench;
beforeAll(async () => {
  await ensureEngine('python');
  await ensureEngine('rope');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

interface Breaking {
  name: string;
  tool: string;
  files: Readonly<Record<string, string>>;
  args: Readonly<Record<string, unknown>>;
  /** It brings no error, only another meaning: how the answer begins. */
  onlyConflict?: RegExp;
  /** The type checker's error is told as it is. */
  told?: RegExp;
}

const ts = {
  'package.json': '{"type":"module"}\n',
  'tsconfig.json': strictConfig,
  'globals.d.ts': globals,
  'a.ts':
    'export const one: number = 1;\nexport const two = 2;\nexport function twice(n: number): number {\n  return n * (1 + 1);\n}\n',
  'b.ts': "import { one } from './a';\nexport const three = one + 2;\n",
};
const py = {
  'pyproject.toml': '[project]\nname = "x"\n',
  'a.py': 'one = 1\ntwo = 2\n\n\ndef twice(n: int) -> int:\n    return n * (1 + 1)\n',
  'b.py': 'from a import one\n\nthree = one + 2\n',
};

const breaking: readonly Breaking[] = [
  {
    name: 'TypeScript rename',
    tool: 'ide_refactor_rename',
    files: ts,
    args: { file: 'a.ts', line: 1, text: 'one', new_name: 'two' },
  },
  {
    name: 'TypeScript extract variable',
    tool: 'ide_refactor_extract_variable',
    files: ts,
    args: { file: 'a.ts', start_line: 4, end_line: 4, text: '1 + 1', new_name: 'n' },
  },
  {
    name: 'TypeScript extract method',
    tool: 'ide_refactor_extract_method',
    files: ts,
    args: { file: 'a.ts', start_line: 4, end_line: 4, text: '1 + 1', new_name: 'twice' },
  },
  {
    name: 'TypeScript safe delete',
    tool: 'ide_refactor_safe_delete',
    files: ts,
    args: { file: 'a.ts', line: 1, text: 'one' },
  },
  {
    name: 'TypeScript inline',
    tool: 'ide_refactor_inline',
    files: {
      ...ts,
      'a.ts': 'export function f(n: number) {\n  const get = () => n;\n  return get ? get() : 0;\n}\n',
      'b.ts': 'export {};\n',
    },
    args: { file: 'a.ts', line: 2, text: 'get' },
  },
  {
    name: 'TypeScript move symbol',
    tool: 'ide_refactor_move',
    files: {
      ...ts,
      'a.ts': 'export let one = 1;\nexport function up() {\n  one += 1;\n  return one;\n}\n',
    },
    args: { file: 'a.ts', line: 1, text: 'one', target_file: 'c.ts' },
  },
  { name: 'TypeScript move file', tool: 'ide_refactor_move', files: ts, args: { file: 'a.ts', target_file: 'c.js' } },
  {
    name: 'Python rename',
    tool: 'ide_refactor_rename',
    files: py,
    args: { file: 'a.py', line: 1, text: 'one', new_name: 'two' },
    onlyConflict: /^"two" would mean something else there \(a\.py:1\)\. Done nevertheless: /,
  },
  {
    name: 'Python extract variable',
    tool: 'ide_refactor_extract_variable',
    files: { ...py, 'a.py': 'class Box:\n    a = 1\n    listed = [2 + 3 for _ in range(a)]\n', 'b.py': 'import a\n' },
    args: { file: 'a.py', start_line: 3, text: '2 + 3', new_name: 'total' },
  },
  {
    name: 'Python extract method',
    tool: 'ide_refactor_extract_method',
    files: {
      ...py,
      'a.py': 'def f(n):\n    x = n + 1\n    y = x * 2\n    del x\n    return y, x\n',
      'b.py': 'import a\n',
    },
    args: { file: 'a.py', start_line: 3, end_line: 4, new_name: 'work' },
    onlyConflict: /^"x" is deleted there, and looked at afterwards \(a\.py:3\)(?:, and \d more)?\. Done nevertheless: /,
  },
  {
    name: 'Python inline',
    tool: 'ide_refactor_inline',
    files: { ...py, 'a.py': 'def f(a):\n    x = a\n    a = 3\n    return x + a\n', 'b.py': 'import a\n' },
    args: { file: 'a.py', line: 2, text: 'x' },
    onlyConflict: /^"a" is assigned in between \(line 3\) \(a\.py:2\)\. Done nevertheless: /,
  },
  {
    name: 'Python move symbol',
    tool: 'ide_refactor_move',
    files: {
      ...py,
      'a.py': 'two = 2\n\n\ndef twice(n: int = two) -> int:\n    return n * two\n\n\nfour = twice(two)\n',
      'b.py': 'from a import four\n\nprint(four)\n',
    },
    args: { file: 'a.py', line: 4, text: 'twice', target_file: 'c.py' },
    onlyConflict:
      /^the two modules would import each other: "twice" needs two of its module, which needs it; move these first \(c\.py:1\)\. Done nevertheless: /,
  },
  {
    name: 'Python move file',
    tool: 'ide_refactor_move',
    files: {
      ...py,
      'a.py': 'from ns.deep import mod\n\nprint(mod.X)\n',
      'b.py': 'one = 1\n',
      'ns/deep/mod.py': 'from ..util import k\n\nX = k + 1\n',
      'ns/util.py': 'k = 1\n',
    },
    args: { file: 'ns/deep/mod.py', target_file: 'ns/my-dir/mod.py' },
    told: /^(?:\d+ errors? that (?:was|were) not there before: |import-not-found: ).*Done nevertheless: /s,
  },
  {
    name: 'Python safe delete',
    tool: 'ide_refactor_safe_delete',
    files: py,
    args: { file: 'a.py', line: 1, text: 'one' },
  },
];

describe('a refactoring that does harm', () => {
  it.each(breaking)('$name', async ({ tool, files, args, onlyConflict, told }) => {
    await bench.layOut(files);
    const before = await treeOf(bench.ide.root);
    const plain = await bench.agent.call(tool, args);
    expect(plain.error).toMatchObject({ name: 'refactoring_conflict', message: expect.stringMatching(untouched) });
    expect(await treeOf(bench.ide.root)).toEqual(before);

    const forced = await bench.agent.data(tool, { ...args, force: true });
    expect(forced).toMatchObject({
      success: false,
      message: expect.stringMatching(
        onlyConflict ?? told ?? /^\d+ errors? that (was|were) not there before: .*[^.]\. Done nevertheless: /,
      ),
      historyId: expect.any(String),
    });
    await bench.agent.data('undo', { history_id: forced['historyId'] });
    expect(await treeOf(bench.ide.root)).toEqual(before);

    const back = await bench.agent.call(tool, { ...args, force: true, rollback_on_error: true });
    expect(back.error?.message ?? back.data?.['message']).toMatch(onlyConflict ?? untouched);
    if (back.data !== undefined) await bench.agent.data('undo', { history_id: back.data['historyId'] });
    expect(await treeOf(bench.ide.root)).toEqual(before);
  });

  it('a plan of which a part is left out says first what that breaks', async () => {
    await bench.layOut(ts);
    const args = { file: 'a.ts', line: 1, text: 'one', new_name: 'first', preview: true };
    const { planId } = await bench.agent.data('ide_refactor_rename', args);
    const done = await bench.agent.data('apply_plan', { plan_id: planId, exclude: ['b.ts'] });
    expect(done).toMatchObject({
      summary: expect.stringMatching(
        /^1 error that was not there before: b\.ts:1 .*Done nevertheless: rename one to first/,
      ),
      affectedFiles: ['a.ts'],
    });
    await bench.agent.data('undo', { history_id: done['historyId'] });
  });

  it('where no engine offers it, the languages that have it are named from the same table', async () => {
    await bench.layOut({ 'main.rb': 'def main\n  1 + 1\nend\n' });
    const { error } = await bench.agent.call('ide_refactor_extract_method', {
      file: 'main.rb',
      start_line: 1,
      end_line: 1,
      text: 'main',
      new_name: 'x',
    });
    const offered = refactoringCapabilities.filter(({ offers }) => offers.extractMethod !== undefined);
    expect(error).toMatchObject({
      name: 'refactoring_not_available',
      hint: `It is offered for ${offered.map(({ language }) => language).join('; ')}.`,
    });
  });
});

const untouched = /Nothing was changed\.$|It was taken back; the files are as before\.$/;
