import type { LineIndex, Position, Range } from '../../../../../base/positions.ts';
import type { SeenFiles } from '../../../../workspace/edits/seenFiles.ts';
import type { Project } from '../../../../workspace/project.ts';
import type { CheckedProblem, RefactorWaiting } from '../../model.ts';

/** A place that a rename changes, and what is to stand around the new name there. */
export interface RenamePlace {
  path: string;
  range: Range;
  prefix: string;
  suffix: string;
}

/** What tells places apart. */
export function placeKey({ path, range }: Pick<RenamePlace, 'path' | 'range'>): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}

/** What trying out a change needs of a TypeScript server, whichever it is: the native one, or the classic one. */
export interface TypeScriptBackend {
  readonly project: Project;
  /** Makes the text and hash of these files known, as they are on disk; those that are gone stay unknown. */
  open(paths: readonly string[]): Promise<void>;
  text(path: string): Promise<LineIndex>;
  /** Of a file that was opened. */
  hashOf(path: string): string | undefined;
  /** Runs `work` while the server sees other contents (null: an emptied file) in place of those on disk. */
  overlaid<T>(
    contents: ReadonlyMap<string, string | null>,
    work: () => Promise<T>,
    waiting?: RefactorWaiting,
  ): Promise<T>;
  /** Syntax and type errors of files, as the server sees them now. */
  problems(paths: readonly string[], waiting: RefactorWaiting): Promise<CheckedProblem[]>;
  /** The same of what is on disk, where another server can be asked while this one sees other contents. */
  problemsBeside?(paths: readonly string[], waiting: RefactorWaiting): Promise<CheckedProblem[]>;
}

/** What a rename needs besides. */
export interface RenameBackend extends TypeScriptBackend {
  /** What it has read, to be passed on with what it proposes. */
  readonly seen: SeenFiles;
  definitions(path: string, position: Position, waiting: RefactorWaiting): Promise<{ path: string; range: Range }[]>;
  /** Where a rename would change something, or the server's reason against it. */
  renamePlaces(
    path: string,
    position: Position,
    newName: string,
    waiting: RefactorWaiting,
  ): Promise<RenamePlace[] | { refused: string }>;
}
