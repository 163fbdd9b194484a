import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ensureEngine } from '../support/engines.ts';
import { checkGolden, goldenFile, pythonVerdict, typescriptVerdict, type Verdict } from './goldenCase.ts';
import { pythonDeletes, typescriptDeletes } from './safeDeleteCases.ts';
import { globals, RefactorBench, strictConfig } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'safeDelete');
const tool = 'ide_refactor_safe_delete';

let bench: RefactorBench;
let python: Verdict;
beforeAll(async () => {
  python = pythonVerdict((await ensureEngine('python')).path, (await ensureEngine('ty')).path);
  await ensureEngine('rope');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('safe delete', () => {
  it.each(typescriptDeletes)('TypeScript: $name', { timeout: 60_000 }, async ({ name, files, args }) => {
    await bench.layOut({
      'package.json': '{"type":"module"}\n',
      'tsconfig.json': strictConfig,
      'globals.d.ts': globals,
      ...files,
    });
    await checkGolden(bench, goldenFile(goldens, `typescript-${name}`), tool, args, typescriptVerdict);
  });

  it.each(pythonDeletes)('Python: $name', { timeout: 60_000 }, async ({ name, files, args }) => {
    await bench.layOut({ 'pyproject.toml': '[project]\nname = "x"\n', ...files });
    await checkGolden(bench, goldenFile(goldens, `python-${name}`), tool, args, python);
  });
});
