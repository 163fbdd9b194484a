import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { checkGolden, goldenFile, typescriptVerdict } from './goldenCase.ts';
import { RefactorBench, typescriptSetting } from './scenario.ts';
import { typescriptCases } from './typescriptCases.ts';
import { typescriptExtractCases } from './typescriptExtractCases.ts';
import { foundCases } from './typescriptFoundCases.ts';
import { typescriptInlineCases } from './typescriptInlineCases.ts';
import { typescriptNameCases } from './typescriptNameCases.ts';
import { inlineCases, moveCases } from './typescriptMoveCases.ts';
import { partCases } from './typescriptPartCases.ts';
import { renameMoveCases } from './typescriptRenameMoveCases.ts';
import { shapeCases } from './typescriptShapeCases.ts';
import { typescriptSuiteCases } from './typescriptSuiteCases.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'typescript');

let bench: RefactorBench;
beforeAll(async () => {
  bench = await RefactorBench.start();
});
afterAll(() => bench.dispose());

describe('refactorings of TypeScript', () => {
  it.each([
    ...typescriptCases,
    ...foundCases,
    ...typescriptSuiteCases,
    ...typescriptNameCases,
    ...partCases,
    ...typescriptExtractCases,
    ...shapeCases,
    ...moveCases,
    ...inlineCases,
    ...renameMoveCases,
    ...typescriptInlineCases,
  ])('$name', async ({ name, files, tool, args }) => {
    await bench.layOut({ ...typescriptSetting, ...files });
    await checkGolden(bench, goldenFile(goldens, name), tool, args, typescriptVerdict);
  });
});
