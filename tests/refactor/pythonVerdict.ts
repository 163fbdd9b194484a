import { treeOf } from '../edits/workbench.ts';
import { ensureEngine } from '../support/engines.ts';
import { run, type Verdict } from './verdicts.ts';

interface PythonLook {
  errors: readonly string[];
  said: string;
}

/**
 * Gets the engines that Python refactorings and their verdict need. The program says what it said, its tests pass as before, and the
 * type checker finds nothing new.
 */
export async function pythonVerdict(): Promise<Verdict<PythonLook>> {
  await ensureEngine('rope');
  const python = (await ensureEngine('python')).path;
  const ty = (await ensureEngine('ty')).path;
  return {
    look: async (root) => {
      const [errors, said] = await Promise.all([typeErrors(ty, root), observed(python, root)]);
      return { errors, said };
    },
    differences: async (before, after, renamed) => {
      const same = (text: string): string => (renamed === undefined ? text : text.replaceAll(renamed[1], renamed[0]));
      // Messages name modules and functions, which a refactoring may move: errors are compared by their kinds.
      const left = before.errors.map(kindOf);
      // What was wrong already may stand in more places than before.
      const isKnown = (error: string): boolean => takeOne(left, kindOf(error)) || before.errors.includes(error);
      const fresh = after.errors.filter((error) => !isKnown(error)).join('\n');
      return fresh + (same(before.said) === same(after.said) ? '' : `It said\n${before.said}\nand now\n${after.said}`);
    },
  };
}

/** What the type checker says, without the places, which a refactoring moves. */
async function typeErrors(ty: string, root: string): Promise<string[]> {
  const { output } = await run(ty, ['check', '--output-format', 'concise', '--color', 'never', '.'], root);
  return output
    .split('\n')
    .flatMap((line) => /^\S+:\d+:\d+: (error.*)$/.exec(line)?.[1] ?? [])
    .toSorted();
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
