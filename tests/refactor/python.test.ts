import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkGolden, goldenFile, readyPython, type Verdict } from './goldenCase.ts';
import { pythonCases } from './pythonCases.ts';
import { pythonExtractCases } from './pythonExtractCases.ts';
import { pythonFormCases } from './pythonFormCases.ts';
import { pythonFoundByNameCases } from './pythonFoundByNameCases.ts';
import { pythonInlineCases } from './pythonInlineCases.ts';
import { pythonNameCases } from './pythonNameCases.ts';
import { pythonShapeCases } from './pythonShapeCases.ts';
import { pythonSetting, RefactorBench } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'python');

let bench: RefactorBench;
let verdict: Verdict;
beforeAll(async () => {
  verdict = await readyPython();
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('refactorings of Python', () => {
  it.each([
    ...pythonCases,
    ...pythonFormCases,
    ...pythonNameCases,
    ...pythonFoundByNameCases,
    ...pythonShapeCases,
    ...pythonExtractCases,
    ...pythonInlineCases,
  ])('$name', async ({ name, files, tool, args }) => {
    await bench.layOut({ ...pythonSetting, ...files });
    await checkGolden(bench, goldenFile(goldens, name), tool, args, verdict);
  });
});
