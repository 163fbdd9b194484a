import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refactoringNames } from '../../src/engine/code/refactor/capabilities.ts';
import { treeOf } from '../edits/workbench.ts';
import { expectGolden } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { pythonSetting, RefactorBench, typescriptSetting } from './scenario.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'examples');
const settings = { typescript: typescriptSetting, python: pythonSetting };

let bench: RefactorBench;
beforeAll(async () => {
  await Promise.all((['python', 'rope', 'ty'] as const).map((id) => ensureEngine(id)));
  bench = await RefactorBench.start();
}, 180_000);
afterAll(() => bench.dispose());

/** The examples of the reference: prose, the call, the files, and what becomes of those that change, in one file each. */
describe.each(['typescript', 'python'] as const)('the examples of %s', (language) => {
  it('there is one of each refactoring', () => {
    expect(readdirSync(join(folder, language)).sort()).toEqual(refactoringNames.map((one) => `${one}.txtar`).sort());
  });

  it.each(refactoringNames)('%s', async (name) => {
    const path = join(folder, language, `${name}.txtar`);
    const text = readFileSync(path, 'utf8');
    const given = text.slice(0, text.indexOf('-- becomes --\n'));
    const [, tool = '', args = '', ...files] = given.split(/^-- (.*) --\n/m);
    const laidOut: Record<string, string> = { ...settings[language] };
    for (let at = 0; at < files.length; at += 2) laidOut[files[at] ?? ''] = files[at + 1] ?? '';
    await bench.layOut(laidOut);
    const { error, data } = await bench.agent.call(tool, JSON.parse(args) as Record<string, unknown>);
    const after = Object.entries(await treeOf(bench.ide.root)).map(([file, one]) => [file, one.replace(/^\d+ /, '')]);
    if (error === undefined) await bench.agent.data('undo', { history_id: data?.['historyId'] });
    const changed = after.filter(([file = '', content]) => laidOut[file] !== content && !file.startsWith('.'));
    const shown = changed.map(([file, content]) => `-- ${file} --\n${content}`).sort();
    const refused = error === undefined ? '' : `${error.message}\n`;
    await expectGolden(path, `${given}-- becomes --\n${refused}${shown.join('')}`);
  });
});
