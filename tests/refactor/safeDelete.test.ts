import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treeOf } from '../edits/workbench.ts';
import { expectGolden } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { pythonDeletes, typescriptDeletes, type DeleteCase } from './safeDeleteCases.ts';
import { globals, RefactorBench, strictConfig } from './scenario.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'safeDelete');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

let bench: RefactorBench;
let python: string;
beforeAll(async () => {
  python = (await ensureEngine('python')).path;
  await ensureEngine('rope');
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

describe('safe delete', () => {
  it.each(typescriptDeletes)('TypeScript: $name', { timeout: 60_000 }, async (one) => {
    await bench.layOut({
      'package.json': '{"type":"module"}\n',
      'tsconfig.json': strictConfig,
      'globals.d.ts': globals,
      ...one.files,
    });
    await check('typescript', one, () => run(process.execPath, [tsc, '--noEmit', '-p', bench.ide.root]));
  });

  it.each(pythonDeletes)('Python: $name', { timeout: 60_000 }, async (one) => {
    await bench.layOut({ 'pyproject.toml': '[project]\nname = "x"\n', ...one.files });
    await check('python', one, () => run(python, ['-B', 'main.py' in one.files ? 'main.py' : 'a.py']));
  });
});

/** A refusal changes nothing; after a success the project checks or runs as before, and undo brings back every byte. */
async function check(language: string, { name, args }: DeleteCase, verdict: () => Promise<string>): Promise<void> {
  const verdictBefore = await verdict();
  const before = await treeOf(bench.ide.root);
  const { error, data } = await bench.agent.call('ide_refactor_safe_delete', args);
  const text =
    error === undefined
      ? `${String(data?.['message'])}\n${String(data?.['diff'])}`
      : `refused (${error.name}): ${error.message}\n${error.hint ?? ''}\n${JSON.stringify(error.data ?? {}, undefined, 1)}\n`;
  await expectGolden(join(goldens, `${language}-${name}.golden.txt`), text);
  const historyId = data?.['historyId'];
  expect(historyId === undefined).toBe(error !== undefined);
  expect(await verdict()).toBe(verdictBefore);
  if (historyId !== undefined) await bench.agent.data('undo', { history_id: historyId });
  expect(await treeOf(bench.ide.root)).toEqual(before);
}

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: bench.ide.root }, (error, stdout) =>
      resolve(error === null || stdout !== '' ? stdout : `failed: ${error.message}`),
    );
  });
}
