import type { CheckedProblem, Conflict } from '../model.ts';
import type { NamePlace } from './namePlaces.ts';

/** What our Python is asked for and answers, by operation. `python/_sightline_refactor/requests.py` has the same on the other side. */
export interface RopeOperations {
  related: { request: NameRequest & { sure: readonly NamePlace[]; alike: readonly string[] }; answer: NamePlace[] };
  rename: {
    request: NameRequest &
      Known & { newName: string; docs: boolean; sure: readonly NamePlace[]; alike: readonly string[] };
    answer: RopeAnswer;
  };
  inline: { request: NameRequest & Known & { all: boolean; sure: readonly NamePlace[] }; answer: RopeAnswer };
  safe_delete: {
    request: NameRequest & { cascade: boolean; force: boolean; sure: readonly NamePlace[] };
    answer: RopeAnswer;
  };
  move_symbol: { request: NameRequest & { targetFile: string }; answer: RopeAnswer };
  move_file: { request: { from: string; to: string }; answer: RopeAnswer };
  extract: { request: ExtractedRange; answer: RopeAnswer };
  check: {
    request: { files: readonly string[]; contents?: Readonly<Record<string, string | null>> };
    answer: CheckedProblem[];
  };
}

/** About a name at a place. */
interface NameRequest {
  path: string;
  line: number;
  column: number;
  name: string;
}

/** What the type checker has said of the places that rope was not sure of. */
interface Known {
  denied?: readonly NamePlace[];
  /** There is nobody left to ask. */
  asked?: boolean;
}

interface ExtractedRange {
  what: 'method' | 'variable';
  path: string;
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
  newName: string;
  scope?: 'class' | 'module' | 'function';
  all?: boolean;
  keepsTypes?: boolean;
}

interface RopeOperation {
  kind: 'write' | 'rename' | 'create' | 'delete';
  path?: string;
  from?: string;
  to?: string;
  content?: string;
}

export interface RopeAnswer {
  operations: RopeOperation[];
  summary: string;
  notes: string[];
  conflicts: Conflict[];
  /** Places that are left alone because rope knows no type for them. */
  unsure?: NamePlace[];
  /** What stays unclear even when the type checker is content. */
  keys?: Conflict[];
  /** Variables that are given values from another module after a move. */
  assigned?: string[];
}
