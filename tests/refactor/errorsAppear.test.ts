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
  { name: 'TypeScript move file', tool: 'ide_refactor_move', files: ts, args: { file: 'a.ts', target_file: 'c.js' } },
  {
    name: 'Python rename',
    tool: 'ide_refactor_rename',
    files: py,
    args: { file: 'a.py', line: 1, text: 'one', new_name: 'two' },
    onlyConflict: /^"two" would mean something else there \(a\.py:1\)\. Done nevertheless: /,
  },
  {
    name: 'Python safe delete',
    tool: 'ide_refactor_safe_delete',
    files: py,
    args: { file: 'a.py', line: 1, text: 'one' },
  },
];

describe('a refactoring that does harm', () => {
  it.each(breaking)('$name', { timeout: 90_000 }, async ({ tool, files, args, onlyConflict }) => {
    await bench.layOut(files);
    const before = await treeOf(bench.ide.root);
    const plain = await bench.agent.call(tool, args);
    expect(plain.error).toMatchObject({ name: 'refactoring_conflict', message: expect.stringMatching(untouched) });
    expect(await treeOf(bench.ide.root)).toEqual(before);

    const forced = await bench.agent.data(tool, { ...args, force: true });
    expect(forced).toMatchObject({
      success: false,
      message: expect.stringMatching(
        onlyConflict ?? /^\d+ errors? that (was|were) not there before: .*[^.]\. Done nevertheless: /,
      ),
      historyId: expect.any(String),
    });
    await bench.agent.data('undo', { history_id: forced['historyId'] });
    expect(await treeOf(bench.ide.root)).toEqual(before);

    const back = await bench.agent.call(tool, { ...args, force: true, rollback_on_error: true });
    expect(back.error?.message ?? back.data?.['message']).toMatch(
      onlyConflict ?? /It was taken back; the files are as before\.$/,
    );
    if (back.data !== undefined) await bench.agent.data('undo', { history_id: back.data['historyId'] });
    expect(await treeOf(bench.ide.root)).toEqual(before);
  });

  it('where no engine offers it, the languages that have it are named from the same table', async () => {
    await bench.layOut({ 'main.go': 'package main\n\nfunc main() {}\n' });
    const { error } = await bench.agent.call('ide_refactor_extract_method', {
      file: 'main.go',
      start_line: 3,
      end_line: 3,
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
