/**
 * What our Python is asked for, under the names that `python/_sightline_refactor/requests.py` has on the other side; a test compares the two.
 */

/** Lines and columns count from 1; columns in UTF-16 units. */
export interface Place {
  path: string;
  line: number;
  column: number;
}

/** About a name at a place. */
interface NameRequest extends Place {
  name: string;
}

export interface RelatedRequest extends NameRequest {
  /** Places that are known to be meant. */
  sure: readonly Place[];
  /** Classes that are used in each other's place, by their names. */
  alike: readonly string[];
}

export interface RenameRequest extends RelatedRequest {
  newName: string;
  /** Comments and strings follow too. */
  docs: boolean;
  /** Places that are known to mean something else. */
  denied?: readonly Place[];
  /** There is nobody left to ask. */
  asked?: boolean;
}

export interface InlineRequest extends NameRequest {
  all: boolean;
  sure: readonly Place[];
  denied?: readonly Place[];
  asked?: boolean;
}

export interface DeleteRequest extends NameRequest {
  cascade: boolean;
  force: boolean;
  sure: readonly Place[];
}

export interface MoveSymbolRequest extends NameRequest {
  targetFile: string;
}

export interface MoveFileRequest {
  from: string;
  to: string;
}

export interface ExtractRequest {
  what: 'method' | 'variable';
  path: string;
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
  newName: string;
  scope?: 'class' | 'module' | 'function';
  all?: boolean;
  /** Names of other types than before are given back, for what is known of them afterwards. */
  keepsTypes?: boolean;
}

export interface CheckRequest {
  files: readonly string[];
  /** Texts that files would have; null for those that would be gone. */
  contents?: Readonly<Record<string, string | null>>;
}
