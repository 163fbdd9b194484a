import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { adversarialCases } from './adversarialCases.ts';
import { checkGolden, goldenFile, readyPython, typescriptVerdict, type Verdict } from './goldenCase.ts';
import { argumentsOf, tools, type HardCase } from './hardCases.ts';
import { pythonHardCases } from './hardPythonCases.ts';
import { typescriptHardCases } from './hardTypescriptCases.ts';
import { pythonSetting, RefactorBench, typescriptSetting } from './scenario.ts';

const here = dirname(fileURLToPath(import.meta.url));

let bench: RefactorBench;
let python: Verdict;
beforeAll(async () => {
  python = await readyPython();
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('hard cases, each followed by the type check and the tests of the project', () => {
  it.each(typescriptHardCases)('TypeScript: $name', async (one) =>
    check('hard/typescript', one, await filesOf('typescript'), typescriptVerdict),
  );
  it.each(pythonHardCases)('Python: $name', async (one) => check('hard/python', one, await filesOf('python'), python));
});

describe('attempts to break code in silence', () => {
  it.each(adversarialCases)('$name', async (one) => {
    const isPython = one.file.endsWith('.py');
    const setting = isPython ? pythonSetting : typescriptSetting;
    await check('adversarial', one, { ...setting, ...one.files }, isPython ? python : typescriptVerdict);
  });
});

async function check(
  folder: string,
  one: HardCase,
  files: Readonly<Record<string, string>>,
  verdict: Verdict,
): Promise<void> {
  await bench.layOut(files);
  const golden = goldenFile(join(here, 'goldens', folder), one.name);
  await checkGolden(bench, golden, tools[one.tool], argumentsOf(one, files[one.file] ?? ''), verdict);
}

async function filesOf(language: string): Promise<Record<string, string>> {
  const folder = join(here, 'projects', language);
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[relative(folder, path)] = await readFile(path, 'utf8');
  }
  return files;
}
