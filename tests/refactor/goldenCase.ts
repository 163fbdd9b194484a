import { join } from 'node:path';
import { expect } from 'vitest';
import { treeOf } from '../edits/workbench.ts';
import { expectGolden } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import type { RefactorBench } from './scenario.ts';
import { behaviours, compiled, failingTests, pythonTypeErrors, run, typeErrors, type Renamed } from './verdicts.ts';

/** Carries out one refactoring of what is laid out: the answer is the golden, the project still checks and does what it did. */
export async function checkGolden(
  bench: RefactorBench,
  golden: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  verdict: Verdict,
): Promise<void> {
  const { root } = bench.ide;
  const before = await treeOf(root);
  const compare = await verdict(root);
  const { error, data } = await bench.agent.call(tool, args);
  const refused = error !== undefined;
  const text = refused
    ? `refused (${error.name}): ${error.message}\n${tool.endsWith('safe_delete') ? details(error) : ''}`
    : `${String(data?.['message'])}\n${String(data?.['diff'])}`;
  await expectGolden(golden, text);
  const historyId = data?.['historyId'];
  expect(historyId === undefined).toBe(refused);
  // A refusal changes nothing; undo of a success brings back every byte.
  if (refused) expect(await treeOf(root)).toEqual(before);
  // What was asked for nevertheless may break something.
  if (args['force'] !== true) expect(await compare(refused ? undefined : renamedBy(args))).toBe('');
  if (historyId !== undefined) await bench.agent.data('undo', { history_id: historyId });
  expect(await treeOf(root)).toEqual(before);
}

/** Looks at a project before a refactoring; what comes back says afterwards what has become worse, nothing if nothing has. */
export type Verdict = (root: string) => Promise<(renamed?: Renamed) => Promise<string>>;

export const typescriptVerdict: Verdict = async (root) => {
  const before = await compiled(root);
  return async (renamed) => {
    const after = await compiled(root);
    const [errors, tests] = await Promise.all([typeErrors(root), failingTests(after)]);
    return errors + tests + (await behaviours(before, after, renamed));
  };
};

/** Gets the engines that Python refactorings and their verdict need. */
export async function readyPython(): Promise<Verdict> {
  await ensureEngine('rope');
  return pythonVerdict((await ensureEngine('python')).path, (await ensureEngine('ty')).path);
}

/** The program says what it said, its tests pass as before, and the type checker finds nothing new. */
function pythonVerdict(python: string, ty: string): Verdict {
  return async (root) => {
    const look = (): Promise<[string[], string]> => Promise.all([pythonTypeErrors(ty, root), observed(python, root)]);
    const [errorsBefore, before] = await look();
    return async (renamed) => {
      const [errors, after] = await look();
      const same = (text: string): string => (renamed === undefined ? text : text.replaceAll(renamed[1], renamed[0]));
      // Messages name modules and functions, which a refactoring may move: errors are compared by their kinds.
      const left = errorsBefore.map(kindOf);
      // What was wrong already may stand in more places than before.
      const isKnown = (error: string): boolean => takeOne(left, kindOf(error)) || errorsBefore.includes(error);
      const fresh = errors.filter((error) => !isKnown(error)).join('\n');
      return fresh + (same(before) === same(after) ? '' : `It said\n${before}\nand now\n${after}`);
    };
  };
}

function kindOf(error: string): string {
  return error.slice(0, error.indexOf(']') + 1);
}

function takeOne(list: string[], item: string): boolean {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

async function observed(python: string, root: string): Promise<string> {
  const files = Object.keys(await treeOf(root));
  const program = files.includes('main.py') ? 'main.py' : 'a.py';
  const runs = [run(python, ['-B', program], root)];
  if (files.some((file) => /(^|\/)test_\w+\.py$/.test(file)))
    runs.push(run(python, ['-B', '-m', 'unittest', 'discover', '-q', '-p', 'test_*.py'], root));
  const outcomes = await Promise.all(runs);
  return outcomes.map(({ output, failed }) => `${output}${failed ? '(failed)' : ''}`).join('\n---\n');
}

/** Where the place is given by its text, the old name is the word in it. */
function renamedBy({ text, new_name: to }: Readonly<Record<string, unknown>>): Renamed | undefined {
  const from = typeof text === 'string' ? /[\w$-]+$/.exec(text)?.[0] : undefined;
  return from === undefined || typeof to !== 'string' ? undefined : [from, to];
}

function details(error: { hint?: string; data?: unknown }): string {
  return `${error.hint ?? ''}\n${JSON.stringify(error.data ?? {}, undefined, 1)}\n`;
}

export function goldenFile(folder: string, name: string): string {
  return join(folder, `${name}.golden.txt`);
}
