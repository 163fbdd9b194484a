import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkGolden, goldenFile, readyPython, typescriptVerdict, type Verdict } from './goldenCase.ts';
import { pythonDeletes, typescriptDeletes } from './safeDeleteCases.ts';
import { pythonSetting, RefactorBench, typescriptSetting } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'safeDelete');
const tool = 'ide_refactor_safe_delete';

let bench: RefactorBench;
let python: Verdict;
beforeAll(async () => {
  python = await readyPython();
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('safe delete', () => {
  it.each(typescriptDeletes)('TypeScript: $name', async ({ name, files, args }) => {
    await bench.layOut({ ...typescriptSetting, ...files });
    await checkGolden(bench, goldenFile(goldens, `typescript-${name}`), tool, args, typescriptVerdict);
  });

  it.each(pythonDeletes)('Python: $name', async ({ name, files, args }) => {
    await bench.layOut({ ...pythonSetting, ...files });
    await checkGolden(bench, goldenFile(goldens, `python-${name}`), tool, args, python);
  });
});
