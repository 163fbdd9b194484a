import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { CancelledError, ToolError } from '../../../../base/errors.ts';
import { contentHash } from '../../../../base/ids.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { listFiles } from '../../../workspace/fileListing.ts';
import type { Project } from '../../../workspace/project.ts';
import {
  compareProblems,
  proposal,
  sameTextFor,
  type CheckedProblem,
  type Conflict,
  type ExtractRequest,
  type LanguageRefactorer,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../model.ts';
import { keyOf, type NamePlace, type NamePlaces } from './namePlaces.ts';
import { RopeProcess } from './ropeProcess.ts';
import type { RopeAnswer, RopeOperations } from './ropeRequests.ts';
import { TrialTree } from './trialTree.ts';
import {
  mismatchedTypes,
  missesMember,
  missesName,
  missesRequiredKey,
  refusesAssignment,
  undefinedName,
} from './tyMessages.ts';

/** The operations that answer with a change. */
type Proposing = Exclude<keyof RopeOperations, 'related' | 'check'>;

const maxCheckedFiles = 800;

/** Python, by rope, with the meaning of names checked by ourselves before anything is written. */
export function pythonRefactorer(project: Project, provision: Provision, places: NamePlaces): LanguageRefactorer {
  const rope = new RopeProcess(project, provision);
  const trials = new TrialTree(project, provision);
  const place = (target: RefactorTarget) => ({
    path: target.path,
    line: target.position.line,
    column: target.position.column,
    name: target.name,
  });
  const run = async <Op extends Proposing>(
    op: Op,
    args: RopeOperations[Op]['request'],
    waiting: RefactorWaiting,
  ): Promise<Proposal> => checked(project, trials, rope, await rope.request(op, args, waiting), waiting);
  const extract = async (what: 'method' | 'variable', request: ExtractRequest, waiting: RefactorWaiting) => {
    trials.prepare();
    const { path, range, newName, scope, all } = request;
    const [startLine, startColumn] = [range.start.line, range.start.column];
    const [endLine, endColumn] = [range.end.line, range.end.column];
    const args = { what, path, startLine, startColumn, endLine, endColumn, newName, scope, all };
    const plain = await run('extract', args, waiting);
    if (!plain.conflicts.some(({ kind }) => kind === 'error')) return plain;
    // A test that goes away tells the type checker nothing about what follows; what was tested is given back, or replaced there too.
    const more = what === 'method' ? { keepsTypes: true } : { all: true };
    const typed = await run('extract', { ...args, ...more }, waiting).catch((error: unknown) => {
      if (error instanceof ToolError) return plain;
      throw error;
    });
    if (typed.conflicts.length > 0) return plain;
    if (what === 'variable')
      typed.notes.push('the other occurrences are replaced too: their types depend on the one that was selected');
    return typed;
  };
  return {
    rename: async (target, newName, options, waiting) => {
      if (newName === target.name) throw new ToolError('invalid_arguments', `It is called "${newName}" already.`);
      trials.prepare();
      const own = await knownPlaces(places, target, waiting);
      const renamed = { from: target.name, to: newName.replace(/\.py$/, '') };
      const attempt = async (sure: readonly NamePlace[], alike: readonly string[] = []) => {
        const request = { ...place(target), newName, docs: options.comments, sure, alike };
        let answer = await rope.request('rename', request, waiting);
        const unsure = answer.unsure ?? [];
        const denied = own === undefined ? [] : await places.others(unsure, sure, waiting);
        if (unsure.length > 0) answer = await rope.request('rename', { ...request, denied, asked: true }, waiting);
        return withUnclear(await checked(project, trials, rope, answer, waiting, renamed), answer);
      };
      const sure = own === undefined ? [] : await withRelated(places, rope, target, own, [], waiting);
      const proposed = await attempt(sure);
      // Where the type checker misses the old name, it was used; with these places the change is tried once more.
      const missed = await placesOfErrors(proposed.conflicts, renamed);
      if (missed.length > 0) return attempt([...sure, ...missed]);
      // What stands in for a protocol without saying so must go on having its members; others may stand in for it too.
      const alike = new Set<string>();
      let latest = proposed;
      const found = (): string[] => classesOfErrors(latest.conflicts, target.name).filter((name) => !alike.has(name));
      while (own !== undefined && found().length > 0) {
        for (const name of found()) alike.add(name);
        latest = await attempt(await withRelated(places, rope, target, sure, [...alike], waiting), [...alike]);
      }
      return latest.conflicts.length === 0 ? latest : proposed;
    },
    extractMethod: (request, waiting) => extract('method', request, waiting),
    extractVariable: (request, waiting) => extract('variable', request, waiting),
    inline: async (target, options, waiting) => {
      trials.prepare();
      const sure = (await knownPlaces(places, target, waiting)) ?? [];
      const request = { ...place(target), all: options.all, sure };
      let answer = await rope.request('inline', request, waiting);
      if (answer.unsure !== undefined && answer.unsure.length > 0) {
        const denied = await places.others(answer.unsure, sure, waiting);
        answer = await rope.request('inline', { ...request, denied, asked: true }, waiting);
      }
      return withoutRepeated(await checked(project, trials, rope, answer, waiting));
    },
    safeDelete: async (target, options, waiting) => {
      trials.prepare();
      const sure = (await knownPlaces(places, target, waiting)) ?? [];
      return run('safe_delete', { ...place(target), cascade: options.cascade, force: options.force, sure }, waiting);
    },
    moveSymbol: async (target, targetFile, waiting) => {
      trials.prepare();
      const answer = await rope.request('move_symbol', { ...place(target), targetFile }, waiting);
      return withoutAssigned(await checked(project, trials, rope, answer, waiting), answer);
    },
    moveFile: async (from, to, waiting) => {
      trials.prepare();
      const answer = await rope.request('move_file', { from, to }, waiting);
      return checked(project, trials, rope, answer, waiting, moduleNames(project, from, to));
    },
    problems: (files, waiting) =>
      rope.request('check', { files: files.filter((file) => file.endsWith('.py')) }, waiting),
    dispose: async () => {
      await Promise.all([rope.dispose(), trials.dispose()]);
    },
  };
}

/** What a file or folder is called in imports before and after a move, without the folders above both, which may be none of the packages. */
function moduleNames(project: Project, from: string, to: string): { from: string; to: string } {
  const parts = (path: string): string[] =>
    relative(project.root, path)
      .replace(/\.pyi?$/, '')
      .split(sep);
  const [before, after] = [parts(from), parts(to)];
  while (before.length > 1 && after.length > 1 && before[0] === after[0]) {
    before.shift();
    after.shift();
  }
  return { from: before.join('.'), to: after.join('.') };
}

/** A server that cannot say leaves the matter to rope; what rope is not sure of is then a conflict. */
async function knownPlaces(
  places: NamePlaces,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<NamePlace[] | undefined> {
  try {
    return await places.of(target, waiting);
  } catch (error) {
    if (error instanceof CancelledError || (error instanceof ToolError && error.code === 'index_not_ready'))
      throw error;
    return undefined;
  }
}

/** What overrides the target, is overridden by it or is an overload of it has uses of its own. */
async function withRelated(
  places: NamePlaces,
  rope: RopeProcess,
  target: RefactorTarget,
  own: readonly NamePlace[],
  alike: readonly string[],
  waiting: RefactorWaiting,
): Promise<NamePlace[]> {
  const found = new Map(own.map((one) => [keyOf(one), one]));
  const request = { path: target.path, ...target.position, name: target.name, sure: own, alike };
  for (const one of await rope.request('related', request, waiting)) {
    if (found.has(keyOf(one))) continue;
    const { path, line, column } = one;
    const others = await knownPlaces(places, { name: target.name, path, position: { line, column } }, waiting);
    for (const other of [one, ...(others ?? [])]) found.set(keyOf(other), other);
  }
  return [...found.values()];
}

function withUnclear(proposed: Proposal, { keys = [] }: RopeAnswer): Proposal {
  return proposed.conflicts.length > 0 ? proposed : { ...proposed, conflicts: keys };
}

/** The places of a name that the checker does not find any more; none when something else is wrong too. */
async function placesOfErrors(
  conflicts: readonly Conflict[],
  { from: name, to }: { from: string; to: string },
): Promise<NamePlace[]> {
  const found: NamePlace[] = [];
  for (const { kind, message, file, line, column } of conflicts) {
    // The same place has another error, which says the key that is there.
    if (kind === 'error' && missesRequiredKey(message, to)) continue;
    if (kind !== 'error' || file === undefined || line === undefined || !missesName(message, name)) return [];
    const text = (await readFile(file, 'utf8')).split('\n')[line - 1] ?? '';
    const at = text.slice((column ?? 1) - 1).search(new RegExp(`(?<!\\w)${name}(?!\\w)`));
    if (at === -1) return [];
    found.push({ path: file, line, column: (column ?? 1) + at });
  }
  return found;
}

/** The names of the classes that the checker does not take for each other any more; none when something else is wrong than that and a member missed. */
function classesOfErrors(conflicts: readonly Conflict[], member: string): string[] {
  const found = new Set<string>();
  for (const { kind, message } of conflicts) {
    if (missesMember(message, member)) continue;
    const names = kind === 'error' ? mismatchedTypes(message) : undefined;
    if (names === undefined) return [];
    for (const name of names) found.add(name);
  }
  return [...found];
}

/** A variable may be given values of other types by its own module; that another module gives it one is no error of the program. */
function withoutAssigned(proposed: Proposal, { assigned = [] }: RopeAnswer): Proposal {
  const isOther = ({ kind, message }: Conflict): boolean =>
    kind !== 'error' || !assigned.some((name) => refusesAssignment(message, name));
  return { ...proposed, conflicts: proposed.conflicts.filter(isOther) };
}

/** A value that reads a name nothing defines does so once for each place it is put in; that is no new error. */
function withoutRepeated(proposed: Proposal): Proposal {
  const known = new Set((proposed.tried?.before ?? []).filter(({ code }) => code === 'undefined').map(wordOf));
  const conflicts = proposed.conflicts.filter((conflict) => conflict.kind !== 'error' || !known.has(wordOf(conflict)));
  return { ...proposed, conflicts };
}

/** The file and the name that a message about an undefined name speaks of. */
function wordOf({ file, message }: { file?: string; message: string }): string {
  const name = /^"(\w+)" is not defined$/.exec(message)?.[1] ?? undefinedName(message);
  return `${file}\0${name ?? message}`;
}

/** Guards each write by the content rope has seen, and tries the change out on the whole project. */
async function checked(
  project: Project,
  trials: TrialTree,
  rope: RopeProcess,
  answer: RopeAnswer,
  waiting: RefactorWaiting,
  renamed?: Proposal['renamed'],
): Promise<Proposal> {
  const contents: Record<string, string | null> = {};
  const operations: FileOperation[] = [];
  for (const operation of answer.operations) {
    const { path = '', from = '', to = '', content = '' } = operation;
    if (operation.kind === 'write') {
      operations.push({ kind: 'write', path, content, expectedHash: contentHash(await readFile(path)) });
      contents[path] = content;
    } else if (operation.kind === 'create') {
      operations.push({ kind: 'create', path, content });
      contents[path] = content;
    } else if (operation.kind === 'delete') {
      operations.push({ kind: 'delete', path });
      contents[path] = null;
    } else operations.push({ kind: 'rename', from, to });
  }
  const { files } = await listFiles(project, { globs: ['**/*.py'] });
  const all = files.length <= maxCheckedFiles ? files.map((file) => join(project.root, file)) : [];
  const dependents = all.filter((file) => !(file in contents));
  const base = proposal(answer.summary, operations, {
    notes: answer.notes,
    conflicts: [...answer.conflicts],
    dependents,
    renamed,
  });
  // A change that is refused anyway need not be tried.
  const typed = base.conflicts.length > 0 ? undefined : await trials.try(operations, waiting);
  if (typeof typed === 'string') base.notes.push(typed);
  const isMove = operations.some((operation) => operation.kind === 'rename');
  const python = Object.keys(contents).filter((file) => file.endsWith('.py'));
  const checkedFiles = isMove ? [] : [...new Set([...python, ...dependents])];
  const before = await rope.request('check', { files: checkedFiles }, waiting);
  const after = await rope.request('check', { files: checkedFiles, contents }, waiting);
  const same = sameTextFor(renamed);
  const appeared = compareProblems(before, after, same).appeared;
  if (appeared.length === 0 && typeof typed === 'object')
    appeared.push(...(await withoutReworded(compareProblems(typed.before, typed.after, same), contents, operations)));
  for (const { message, file, line, column } of appeared)
    base.conflicts.push({ kind: 'error', message, file, line, column });
  return isMove ? { ...base, tryOnDisk: true } : { ...base, tried: { before, after } };
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
