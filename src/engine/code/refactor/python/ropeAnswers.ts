import type { CheckedProblem } from '../model.ts';
import type { Reason } from '../refusals/refuse.ts';
import type { UsageKind } from '../stillUsed.ts';
import type {
  CheckRequest,
  DeleteRequest,
  ExtractRequest,
  InlineRequest,
  MoveFileRequest,
  MoveSymbolRequest,
  Place,
  RelatedRequest,
  RenameRequest,
} from './ropeRequests.ts';

/**
 * What our Python answers, under the names that `python/_sightline_refactor/answers.py` has on the other side; a test compares the two.
 */
export interface RopeOperations {
  related: { request: RelatedRequest; answer: Place[] };
  rename: { request: RenameRequest; answer: RenameAnswer };
  inline: { request: InlineRequest; answer: InlineAnswer };
  safe_delete: { request: DeleteRequest; answer: Answer };
  move_symbol: { request: MoveSymbolRequest; answer: MoveSymbolAnswer };
  move_file: { request: MoveFileRequest; answer: Answer };
  extract: { request: ExtractRequest; answer: Answer };
  check: { request: CheckRequest; answer: CheckedProblem[] };
}

/** A file that exists gets another text. */
interface Write {
  kind: 'write';
  path: string;
  content: string;
}

interface Create {
  kind: 'create';
  path: string;
  content: string;
}

interface Delete {
  kind: 'delete';
  path: string;
}

interface Move {
  kind: 'rename';
  from: string;
  to: string;
}

export type Operation = Write | Create | Delete | Move;

/** What stands in the way of a change, which may be made all the same. */
interface Conflict {
  kind: 'name' | 'usage' | 'meaning' | 'error';
  message: Reason;
  file?: string;
  line?: number;
  column?: number;
  hint?: string;
}

/** What still uses what should be deleted; the file is told from the root of the project. */
interface Usage {
  file: string;
  line: number;
  kind: UsageKind;
  context: string;
}

interface StillUsed {
  name: string;
  usages: Usage[];
  cascade: boolean;
}

export interface Answer {
  operations: Operation[];
  summary: string;
  notes: string[];
  conflicts: Conflict[];
}

interface InlineAnswer extends Answer {
  /** Places that are left alone because rope knows no type for them. */
  unsure: Place[];
}

export interface RenameAnswer extends InlineAnswer {
  /** What stays unclear even when the type checker is content. */
  keys: Conflict[];
}

export interface MoveSymbolAnswer extends Answer {
  /** Variables that are given values from another module after the move. */
  assigned: string[];
}

/** Why an operation was not done. */
export type Refusal =
  | { message: string; kind: 'refused' | 'conflict'; data: null }
  | { message: string; kind: 'usage'; data: StillUsed };
