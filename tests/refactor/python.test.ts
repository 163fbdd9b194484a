import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ensureEngine } from '../support/engines.ts';
import { checkGolden, goldenFile, pythonVerdict, type Verdict } from './goldenCase.ts';
import { pythonCases } from './pythonCases.ts';
import { pythonFormCases } from './pythonFormCases.ts';
import { RefactorBench } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'python');

let bench: RefactorBench;
let verdict: Verdict;
beforeAll(async () => {
  verdict = pythonVerdict((await ensureEngine('python')).path, (await ensureEngine('ty')).path);
  await ensureEngine('rope');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('refactorings of Python', () => {
  it.each([...pythonCases, ...pythonFormCases])('$name', { timeout: 60_000 }, async ({ name, files, tool, args }) => {
    await bench.layOut({ 'pyproject.toml': '[project]\nname = "x"\n', ...files });
    await checkGolden(bench, goldenFile(goldens, name), tool, args, verdict);
  });
});
