import { relative, sep } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import type { Provision } from '../../../provision/provision.ts';
import type { Project } from '../../../workspace/project.ts';
import type { Conflict, ExtractRequest, LanguageRefactorer, Proposal, RefactorWaiting } from '../model.ts';
import { CheckedProposals } from './checkedProposal.ts';
import { knownPlaces, type NamePlaces } from './namePlaces.ts';
import { placeOf, renamer } from './rename.ts';
import type { MoveSymbolAnswer, RopeOperations } from './ropeAnswers.ts';
import { RopeProcess } from './ropeProcess.ts';
import { TrialTree } from './trialTree.ts';
import { refusesAssignment, undefinedName } from './tyMessages.ts';

/** The operations that answer with a change. */
type Proposing = Exclude<keyof RopeOperations, 'related' | 'check'>;

/** Python, by rope, with the meaning of names checked by ourselves before anything is written. */
export function pythonRefactorer(project: Project, provision: Provision, places: NamePlaces): LanguageRefactorer {
  const rope = new RopeProcess(project, provision);
  const trials = new TrialTree(project, provision);
  const proposals = new CheckedProposals(project, rope, trials);
  const rename = renamer({ places, rope, proposals });
  const run = async <Op extends Proposing>(
    op: Op,
    args: RopeOperations[Op]['request'],
    waiting: RefactorWaiting,
  ): Promise<Proposal> => proposals.of(await rope.request(op, args, waiting), waiting);
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
    rename: (target, newName, options, waiting) => {
      if (newName === target.name) throw new ToolError('invalid_arguments', `It is called "${newName}" already.`);
      trials.prepare();
      return rename(target, newName, options, waiting);
    },
    extractMethod: (request, waiting) => extract('method', request, waiting),
    extractVariable: (request, waiting) => extract('variable', request, waiting),
    inline: async (target, options, waiting) => {
      trials.prepare();
      const sure = (await knownPlaces(places, target, waiting)) ?? [];
      const request = { ...placeOf(target), all: options.all, sure };
      let answer = await rope.request('inline', request, waiting);
      if (answer.unsure.length > 0) {
        const denied = await places.others(answer.unsure, sure, waiting);
        answer = await rope.request('inline', { ...request, denied, asked: true }, waiting);
      }
      return withoutRepeated(await proposals.of(answer, waiting));
    },
    safeDelete: async (target, options, waiting) => {
      trials.prepare();
      const sure = (await knownPlaces(places, target, waiting)) ?? [];
      return run('safe_delete', { ...placeOf(target), cascade: options.cascade, force: options.force, sure }, waiting);
    },
    moveSymbol: async (target, targetFile, waiting) => {
      trials.prepare();
      const answer = await rope.request('move_symbol', { ...placeOf(target), targetFile }, waiting);
      return withoutAssigned(await proposals.of(answer, waiting), answer);
    },
    moveFile: async (from, to, waiting) => {
      trials.prepare();
      const answer = await rope.request('move_file', { from, to }, waiting);
      return proposals.of(answer, waiting, moduleNames(project, from, to));
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

/** A variable may be given values of other types by its own module; that another module gives it one is no error of the program. */
function withoutAssigned(proposed: Proposal, { assigned }: MoveSymbolAnswer): Proposal {
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
