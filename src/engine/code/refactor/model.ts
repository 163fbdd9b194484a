import type { Hint } from '../../../base/text/advice.ts';
import type { Position, Range } from '../../../base/positions.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import type { SeenFiles } from '../../workspace/edits/seenFiles.ts';
import type { IndexState } from '../model.ts';
import type { Reason } from './refusals/refuse.ts';
import { escapeRegExp } from '../../../base/text/escapeRegExp.ts';

/** A name in a file that a refactoring is about. */
export interface RefactorTarget {
  /** Canonical. */
  path: string;
  name: string;
  position: Position;
}

/** What an engine proposes. Nothing has been written. */
export interface Proposal {
  operations: FileOperation[];
  /** The files it was worked out from, as far as they need not be read again. */
  seen?: SeenFiles;
  /** One line: what was done to what. */
  summary: string;
  /** What the caller should know: limits, choices made. */
  notes: string[];
  /** Reasons why the result would not mean the same, or would not compile. Any of them stops an apply unless forced. */
  conflicts: Conflict[];
  /** Files, besides those changed, in which errors could appear. */
  dependents: string[];
  /** The errors before and after, when the new contents were tried out whole; then nothing needs to be checked again. */
  tried?: { before: CheckedProblem[]; after: CheckedProblem[] };
  /** The result could not be tried out in memory: it is checked once it is on disk, and taken back if errors appeared. */
  tryOnDisk?: boolean;
  /** Of a preview that was answered before it was tried out: the same, tried out. */
  prove?: (waiting: RefactorWaiting) => Promise<Proposal>;
  /** Names, or paths, that differ afterwards: messages of the checker that differ only by them are the same. */
  renamed?: { from: string; to: string };
}

/** A reason of the list in `refusals`, or what the checker of the language says. */
export type Conflict = ConflictPlace &
  ({ kind: 'name' | 'meaning' | 'usage'; message: Reason } | { kind: 'error'; message: string });

interface ConflictPlace {
  /** What to do about it, where that is more than to look at the change or to force it. */
  hint?: Hint;
  file?: string;
  line?: number;
  column?: number;
}

/** An error or warning of the language's own checker, as far as comparing needs it. */
export interface CheckedProblem {
  file: string;
  line: number;
  column: number;
  message: string;
  code: string;
}

export interface ExtractRequest {
  path: string;
  range: Range;
  newName: string;
  /** Where the new function goes: the class, the module, or the function around. */
  scope?: 'class' | 'module' | 'function';
  /** Replace every occurrence that means the same, not only the selected one. */
  all?: boolean;
}

export interface DeleteOptions {
  /** Also what exists only because of it. */
  cascade: boolean;
  /** Even though it is used; the uses stay. */
  force: boolean;
}

/** What one language can do. An operation that is not offered throws `refactoring_not_available` with the reason. */
export interface LanguageRefactorer {
  rename(
    target: RefactorTarget,
    newName: string,
    options: { comments: boolean },
    waiting: RefactorWaiting,
  ): Promise<Proposal>;
  extractMethod(request: ExtractRequest, waiting: RefactorWaiting): Promise<Proposal>;
  extractVariable(request: ExtractRequest, waiting: RefactorWaiting): Promise<Proposal>;
  inline(target: RefactorTarget, options: { all: boolean }, waiting: RefactorWaiting): Promise<Proposal>;
  safeDelete(target: RefactorTarget, options: DeleteOptions, waiting: RefactorWaiting): Promise<Proposal>;
  moveSymbol(target: RefactorTarget, targetFile: string, waiting: RefactorWaiting): Promise<Proposal>;
  moveFile(from: string, to: string, waiting: RefactorWaiting): Promise<Proposal>;
  /** The text of a file with its imports in order, where the language's engine can do that. */
  organizeImports?(path: string, waiting: RefactorWaiting): Promise<string>;
  /** The checker's errors in these files as they are on disk. Files that are gone have none. */
  problems(files: readonly string[], waiting: RefactorWaiting): Promise<CheckedProblem[]>;
  dispose(): Promise<void>;
}

export interface RefactorWaiting {
  signal?: AbortSignal;
  /** Ends a while before the call must answer: what is not checked by then can still be taken back. */
  checkBy?: AbortSignal;
  /** Given for a preview: so long it may be tried out; the rest is done when it is applied. */
  proofMs?: number;
  /** Given when an index that does not know the whole project is no reason to stop: told what it lacks. */
  onIncomplete?: (index: IndexState) => void;
}

export function proposal(summary: string, operations: FileOperation[], rest: Partial<Proposal> = {}): Proposal {
  return { summary, operations, notes: [], conflicts: [], dependents: [], ...rest };
}

/** A function that makes messages comparable across a rename. */
export function sameTextFor(renamed: Proposal['renamed']): ((message: string) => string) | undefined {
  if (renamed === undefined) return undefined;
  // A private member of a Python class is called `_Class__name` outside of it.
  const isPrivate = renamed.from.startsWith('__') && renamed.to.startsWith('__');
  const name = escapeRegExp(renamed.to);
  const word = new RegExp(`(?<![\\w$])${isPrivate ? '(_\\w+?)?' : '()'}${name}(?![\\w$])`, 'g');
  return (message) => message.replace(word, (_all, owner: string | undefined) => `${owner ?? ''}${renamed.from}`);
}

/** The problems of `after` that `before` did not have, and the other way round; a problem that only moved is neither. */
export function compareProblems(
  before: readonly CheckedProblem[],
  after: readonly CheckedProblem[],
  sameText: (message: string) => string = (message) => message,
): { appeared: CheckedProblem[]; vanished: CheckedProblem[] } {
  const keyOf = ({ code, message }: CheckedProblem): string =>
    `${withoutGuess[code] ?? code}\0${sameText(message.replace(/ Did you mean .*$/s, ''))}`;
  const left = new Map<string, CheckedProblem[]>();
  for (const problem of before) left.set(keyOf(problem), [...(left.get(keyOf(problem)) ?? []), problem]);
  const appeared: CheckedProblem[] = [];
  for (const problem of after) {
    const isKnown = left.get(keyOf(problem))?.shift() !== undefined;
    // A package that is not installed is missed in every file that imports it.
    if (!isKnown && !(isOfPackage(problem) && left.has(keyOf(problem)))) appeared.push(problem);
  }
  return { appeared, vanished: [...left.values()].flat() };
}

/** TypeScript's errors with a guess at what was meant, and the same errors without: a new name nearby only makes it guess. */
const withoutGuess: Partial<Record<string, string>> = { TS2552: 'TS2304', TS2551: 'TS2339', TS2561: 'TS2353' };

/** TypeScript's errors of a module that is not found. */
const notFound = new Set(['TS2307', 'TS2792', 'TS2875', 'TS2882', 'TS7016']);

function isOfPackage({ code, message }: CheckedProblem): boolean {
  return notFound.has(code) && !/'\.{1,2}(?:\/[^']*)?'/.test(message);
}
