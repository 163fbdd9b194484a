import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treeOf } from '../edits/workbench.ts';
import { expectGolden } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { pythonCases } from './pythonCases.ts';
import { pythonFormCases } from './pythonFormCases.ts';
import { RefactorBench } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'python');

let bench: RefactorBench;
let python: string;
beforeAll(async () => {
  python = (await ensureEngine('python')).path;
  await ensureEngine('rope');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('refactorings of Python', () => {
  it.each([...pythonCases, ...pythonFormCases])('$name', { timeout: 60_000 }, async ({ name, files, tool, args }) => {
    await bench.layOut({ 'pyproject.toml': '[project]\nname = "x"\n', ...files });
    const program = 'main.py' in files ? 'main.py' : 'a.py';
    const output = await run(program);
    const before = await treeOf(bench.ide.root);
    const outcome = await bench.agent.call(tool, args);
    const after = await treeOf(bench.ide.root);
    const text =
      outcome.error === undefined
        ? `${String(outcome.data?.['message'])}\n${String(outcome.data?.['diff'])}`
        : `refused (${outcome.error.name}): ${outcome.error.message}\n`;
    await expectGolden(join(goldens, `${name}.golden.txt`), text);
    const historyId = outcome.data?.['historyId'];
    // A refusal changes nothing; after a success the program says what it said before, and undo brings back every byte.
    expect(historyId === undefined).toBe(outcome.error !== undefined);
    expect(await run(program)).toBe(output);
    if (historyId !== undefined) await bench.agent.data('undo', { history_id: historyId });
    expect(await treeOf(bench.ide.root)).toEqual(before);
    expect(outcome.error === undefined ? before : after).toEqual(before);
  });
});

function run(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(python, ['-B', program], { cwd: bench.ide.root }, (error, stdout) =>
      resolve(error === null ? stdout : `failed: ${error.message}`),
    );
  });
}
