import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { contentHash } from '../../../../base/ids.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import {
  compareProblems,
  proposal,
  sameTextFor,
  type CheckedProblem,
  type Proposal,
  type RefactorWaiting,
} from '../model.ts';
import type { Answer, Operation } from './ropeAnswers.ts';
import type { RopeProcess } from './ropeProcess.ts';
import type { TrialTree } from './trialTree.ts';

const maxCheckedFiles = 800;

/** The last stage of every refactoring: each write is guarded by the content rope has seen, and the change is tried on the whole project. */
export class CheckedProposals {
  readonly #project: Project;
  readonly #rope: RopeProcess;
  readonly #trials: TrialTree;

  constructor(project: Project, rope: RopeProcess, trials: TrialTree) {
    this.#project = project;
    this.#rope = rope;
    this.#trials = trials;
  }

  async of(answer: Answer, waiting: RefactorWaiting, renamed?: Proposal['renamed']): Promise<Proposal> {
    const operations = await Promise.all(answer.operations.map(guarded));
    const contents: Record<string, string | null> = {};
    for (const operation of answer.operations) {
      if (operation.kind === 'delete') contents[operation.path] = null;
      else if (operation.kind !== 'rename') contents[operation.path] = operation.content;
    }
    const { files } = await listFiles(this.#project, { globs: ['**/*.py'] });
    const all = files.length <= maxCheckedFiles ? files.map((file) => join(this.#project.root, file)) : [];
    const dependents = all.filter((file) => !(file in contents));
    const base = proposal(answer.summary, operations, {
      notes: answer.notes,
      conflicts: [...answer.conflicts],
      dependents,
      renamed,
    });
    // A change that is refused anyway need not be tried.
    const typed = base.conflicts.length > 0 ? undefined : await this.#trials.try(operations, waiting);
    if (typeof typed === 'string') base.notes.push(typed);
    const isMove = operations.some(({ kind }) => kind === 'rename');
    const python = Object.keys(contents).filter((file) => file.endsWith('.py'));
    const checkedFiles = isMove ? [] : [...new Set([...python, ...dependents])];
    const before = await this.#rope.request('check', { files: checkedFiles }, waiting);
    const after = await this.#rope.request('check', { files: checkedFiles, contents }, waiting);
    const same = sameTextFor(renamed);
    const appeared = compareProblems(before, after, same).appeared;
    if (appeared.length === 0 && typeof typed === 'object')
      appeared.push(...(await withoutReworded(compareProblems(typed.before, typed.after, same), contents, operations)));
    for (const { message, file, line, column } of appeared)
      base.conflicts.push({ kind: 'error', message, file, line, column });
    return isMove ? { ...base, tryOnDisk: true } : { ...base, tried: { before, after } };
  }
}

async function guarded(operation: Operation): Promise<FileOperation> {
  if (operation.kind !== 'write') return operation;
  return { ...operation, expectedHash: contentHash(await readFile(operation.path)) };
}

/** A line that was wrong before is no new error when only the words about it are others, which may speak of types that are told elsewhere now. */
async function withoutReworded(
  { appeared, vanished }: ReturnType<typeof compareProblems>,
  contents: Readonly<Record<string, string | null>>,
  operations: readonly FileOperation[],
): Promise<CheckedProblem[]> {
  if (appeared.length === 0 || vanished.length === 0) return appeared;
  const keyOf = async ({ code, line }: CheckedProblem, file: string, text?: string | null): Promise<string> =>
    `${code}\0${file}\0${(text ?? (await readFile(file, 'utf8'))).split('\n')[line - 1]?.trim()}`;
  const left = await Promise.all(vanished.map((problem) => keyOf(problem, problem.file)));
  const fresh: CheckedProblem[] = [];
  for (const problem of appeared) {
    const file = whereBefore(problem.file, operations);
    const at = left.indexOf(await keyOf(problem, file, contents[file]));
    if (at === -1) fresh.push(problem);
    else left.splice(at, 1);
  }
  return fresh;
}

/** Where a file is now that is elsewhere after the change. */
function whereBefore(file: string, operations: readonly FileOperation[]): string {
  for (const operation of operations) {
    if (operation.kind !== 'rename') continue;
    if (file === operation.to || file.startsWith(operation.to + sep))
      return operation.from + file.slice(operation.to.length);
  }
  return file;
}
