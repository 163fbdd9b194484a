import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGolden } from '../harness/harness.ts';
import { treeOf } from '../edits/workbench.ts';
import { globals, RefactorBench, strictConfig } from './scenario.ts';
import { typescriptCases } from './typescriptCases.ts';
import { foundCases } from './typescriptFoundCases.ts';
import { typescriptSuiteCases } from './typescriptSuiteCases.ts';

const goldens = join(dirname(fileURLToPath(import.meta.url)), 'goldens', 'typescript');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

let bench: RefactorBench;
beforeAll(async () => {
  bench = await RefactorBench.start();
});
afterAll(() => bench.dispose());

describe('refactorings of TypeScript', () => {
  it.each([...typescriptCases, ...foundCases, ...typescriptSuiteCases])(
    '$name',
    { timeout: 60_000 },
    async ({ name, files, tool, args }) => {
      await bench.layOut({
        'package.json': '{"type":"module"}\n',
        'tsconfig.json': strictConfig,
        'globals.d.ts': globals,
        ...files,
      });
      const before = await treeOf(bench.ide.root);
      const outcome = await bench.agent.call(tool, args);
      const after = await treeOf(bench.ide.root);
      const text =
        outcome.error === undefined
          ? `${String(outcome.data?.['message'])}\n${String(outcome.data?.['diff'])}`
          : `refused (${outcome.error.name}): ${outcome.error.message}\n`;
      await expectGolden(join(goldens, `${name}.golden.txt`), text);
      const historyId = outcome.data?.['historyId'];
      // A refusal changes nothing; a success still compiles, and undo brings back every byte.
      expect(historyId === undefined).toBe(outcome.error !== undefined);
      expect(await errorsOf(bench.ide.root)).toBe('');
      if (historyId !== undefined) await bench.agent.data('undo', { history_id: historyId });
      expect(await treeOf(bench.ide.root)).toEqual(before);
      expect(outcome.error === undefined ? before : after).toEqual(before);
    },
  );
});

function errorsOf(root: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, '--noEmit', '-p', root], { cwd: root }, (_error, stdout) => resolve(stdout));
  });
}
