import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treeOf } from '../edits/workbench.ts';
import { expectGolden } from '../harness/harness.ts';
import { casesOf, type RefactorCase } from './caseFile.ts';
import { pythonSetting, RefactorBench, typescriptSetting } from './scenario.ts';
import type { Renamed, Verdict } from './verdicts.ts';

/** Which half of the cases: those of whole declarations, or those of the code inside. Each runs in a file of its own, side by side. */
type Half = 'declarations' | 'code';

const ofCode = /^(extract|inline)/;
const settings = { typescript: typescriptSetting, python: pythonSetting };

/** Runs every case of a language that belongs to the half. */
export function describeCases<Look>(
  language: keyof typeof settings,
  half: Half,
  ready: () => Promise<Verdict<Look>>,
): void {
  let bench: RefactorBench;
  let verdict: Verdict<Look>;
  beforeAll(async () => {
    verdict = await ready();
    bench = await RefactorBench.start();
  }, 180_000);
  afterAll(() => bench.dispose());

  describe(`refactorings of ${half} in ${language}`, () => {
    it.each(casesOf(language).filter(({ name }) => ofCode.test(name) === (half === 'code')))('$name', async (one) => {
      await bench.layOut({ ...settings[language], ...one.files });
      await checkCase(bench, one, verdict);
    });
  });
}

/** Carries out the refactoring: the answer is the expected one, the project still checks and does what it did. */
async function checkCase<Look>(
  bench: RefactorBench,
  { path, given, tool, args }: RefactorCase,
  verdict: Verdict<Look>,
): Promise<void> {
  const { root } = bench.ide;
  const before = await treeOf(root);
  const { error, data } = await bench.agent.call(tool, args);
  const refused = error !== undefined;
  const text = refused
    ? `refused (${error.name}): ${error.message}\n${tool.endsWith('safe_delete') ? details(error) : ''}`
    : `${String(data?.['message'])}\n${String(data?.['diff'])}`;
  await expectGolden(path, given + text);
  const historyId = data?.['historyId'];
  expect(historyId === undefined).toBe(refused);
  // A refusal changes nothing, so that nothing can be otherwise; undo of a success brings back every byte.
  expect(refused ? await treeOf(root) : before).toEqual(before);
  // What was asked for nevertheless may break something.
  const isJudged = args['force'] !== true && (!refused || verdict.faults !== undefined);
  const after = isJudged ? await verdict.look(root) : undefined;
  try {
    expect(after === undefined ? '' : ((await verdict.faults?.(root, after)) ?? '')).toBe('');
    if (refused) return;
    await bench.agent.data('undo', { history_id: historyId });
    expect(await treeOf(root)).toEqual(before);
    // The project as it was is looked at last, where it is known that there is something to compare.
    const worsened = async (look: Look) => verdict.differences(await verdict.look(root), look, renamedBy(args));
    expect(after === undefined ? '' : await worsened(after)).toBe('');
  } finally {
    if (after !== undefined) await verdict.forget?.(after);
  }
}

/** Where the place is given by its text, the old name is the word in it. */
function renamedBy({ text, new_name: to }: Readonly<Record<string, unknown>>): Renamed | undefined {
  const from = typeof text === 'string' ? /[\w$-]+$/.exec(text)?.[0] : undefined;
  return from === undefined || typeof to !== 'string' ? undefined : [from, to];
}

function details(error: { hint?: string; data?: unknown }): string {
  return `${error.hint ?? ''}\n${JSON.stringify(error.data ?? {}, undefined, 1)}\n`;
}
