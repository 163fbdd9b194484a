import type { Position } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import type { OutlineSymbol } from '../model.ts';
import type { FileOutline } from '../queries/fileOutline.ts';
import type { TypeSource } from '../queries/requests/typeNode.ts';

/** What a server leaves out of its answers or tells in its own way, mended where it is known why. The queries know none of it. */
export interface ServerRepairs {
  /** Other declarations that are one symbol to whoever uses it, but not to the server: their references belong to its own. */
  sameSymbol?(
    server: LanguageServer,
    target: Target,
    found: { declarations: readonly FileRange[]; definitions: readonly FileRange[] },
    signal?: AbortSignal,
  ): Promise<Target[]>;
  /** Uses of a module by its name, where the symbol is one. */
  moduleUses?(
    workspace: CodeWorkspace,
    server: LanguageServer,
    name: string,
    definitions: readonly FileRange[],
    signal?: AbortSignal,
  ): Promise<{ references: FileRange[]; complete: boolean }>;
  /** Places with the name in files of the project that the server does not read. */
  unreadUses?(workspace: CodeWorkspace, name: string, signal?: AbortSignal): Promise<FileRange[]>;
  /** What there is in a file that is not the server's but holds code of its language; undefined when the file is none of these. */
  outlineOfUnread?(
    workspace: CodeWorkspace,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<FileOutline | undefined>;
  /** Types that implement one by their structure, without naming it. */
  fittingTypes?(
    workspace: CodeWorkspace,
    server: LanguageServer,
    place: { path: string; position: Position },
    signal?: AbortSignal,
  ): Promise<FittingType[]>;
  /** The type hierarchy, of a server that offers none. */
  types?(workspace: CodeWorkspace, server: LanguageServer, signal: AbortSignal | undefined): TypeSource;
  /** Heirs that the server does not tell of a type in that file. */
  heirs?(
    workspace: CodeWorkspace,
    server: LanguageServer,
    path: string,
    signal: AbortSignal | undefined,
  ): TypeSource | undefined;
  /** Whether a function is assigned to the name at a column, so that the name is the function to whoever calls it. */
  assignsFunction?(line: string, column: number): boolean;
}

export interface FittingType {
  path: string;
  /** The type, or its member when a member was asked about. */
  symbol: OutlineSymbol;
  namePath: string[];
}
