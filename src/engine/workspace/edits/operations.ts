import type { Range } from '../../../base/positions.ts';
import type { FileStamp } from './readVersion.ts';

/**
 * What the applier can be asked to do. Paths are absolute or relative to the project root. Operations take effect in order,
 * each seeing the outcome of those before it, as in an LSP workspace edit; the disk sees only the sum, and sees it at once.
 */
export type FileOperation =
  | {
      kind: 'edit';
      path: string;
      edits: readonly TextEdit[];
      /** The version tag (content hash) the edits were computed for; another content on disk is a refusal. */
      expectedHash?: string;
    }
  | {
      kind: 'write';
      path: string;
      content: string | Uint8Array;
      /** `null` demands that the file does not exist yet. */
      expectedHash?: string | null;
    }
  | { kind: 'create'; path: string; content?: string; overwrite?: boolean; ignoreIfExists?: boolean }
  | { kind: 'rename'; from: string; to: string; overwrite?: boolean; ignoreIfExists?: boolean }
  | { kind: 'delete'; path: string; recursive?: boolean; ignoreIfNotExists?: boolean; expectedHash?: string };

export interface TextEdit {
  range: Range;
  newText: string;
  /** What must stand in the range: anything else means that the file has changed since the edit was worked out. */
  oldText?: string;
}

/** Who asked for a change. Local history can be searched and undone by each of these. */
export interface ChangeOrigin {
  tool: string;
  callId?: string;
  /** The connection. */
  client?: string;
  /** What the program at its other end calls itself. */
  clientName?: string;
  /** What a person agreed to: the fingerprint of a change to what is executed later, or everything. */
  agreedTo?: string;
  /** One line for people. */
  summary?: string;
  /** Something whoever asked should know of the files besides. */
  tell?: (note: string) => void;
}

export const agreedToEverything = 'everything';

/** A state of one path. Content-addressed: equal hashes are equal bytes. */
export type FileVersion =
  | { kind: 'file'; hash: string; mode: number; size: number }
  | { kind: 'symlink'; hash: string; target: string };

/** What happens to one path in sum. `null` is absence. */
export interface Transition {
  /** Canonical and inside the project. */
  path: string;
  before: FileVersion | null;
  after: FileVersion | null;
}

export interface Move {
  from: string;
  to: string;
}

/** Bytes of a file that an edit replaces by others. */
export interface EditedSpan {
  start: number;
  end: number;
  newLength: number;
}

/** A change worked out to the byte but not yet made. Carrying it out is refused if any `before` no longer holds. */
export interface ChangePlan {
  transitions: readonly Transition[];
  /** Pairs of transitions that are one unchanged file changing its place. */
  moves: readonly Move[];
  /** Pairs of transitions that are one file changing its place and its content. */
  editedMoves: readonly Move[];
  /** Directories that disappear, innermost first. */
  removedDirectories: readonly string[];
  /** Empty directories that appear and no file implies. */
  addedDirectories: readonly string[];
  /** How many single edits, creations, renames and deletions were asked for. */
  changesCount: number;
  /** The bytes of every `before` and `after` that is not merely moved, by hash. */
  contents: ReadonlyMap<string, Buffer>;
  /** Of every path that was there: by it the system can tell that the file is still the one that was read. */
  stamps: ReadonlyMap<string, FileStamp>;
  /** Where files differ before and after, as far as it is known and each difference lies within one line. */
  spans: ReadonlyMap<string, readonly EditedSpan[]>;
}

export function isEmptyPlan(plan: ChangePlan): boolean {
  return plan.transitions.length === 0 && plan.removedDirectories.length === 0 && plan.addedDirectories.length === 0;
}

export function sameVersion(a: FileVersion | null, b: FileVersion | null): boolean {
  if (a === null || b === null) return a === b;
  return a.hash === b.hash && a.kind === b.kind && (a.kind !== 'file' || b.kind !== 'file' || a.mode === b.mode);
}
