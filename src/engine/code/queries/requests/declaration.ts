import { isScriptFile } from '../../../../base/languages/byPath.ts';
import type { LineIndex, Position, Range } from '../../../../base/positions.ts';
import type { DefinitionTarget } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { isLibraryPath } from './symbols.ts';

export interface Definition {
  path: string;
  position: Position;
  name: string;
  kind: string;
  /** The whole declaration, from its documentation comment on. */
  source: string;
  sourceRange: Range;
  isLibrary: boolean;
  /** The code behind a declaration of types. */
  isImplementation?: boolean;
  /** The compiled place whose source map leads to this source. */
  compiled?: { path: string; position: Position };
  /** The source is part of that map; there is no such file. */
  isOnlyInMap?: boolean;
  /** The line that declares it, without its body. */
  header?: string;
  /** The lines that begin its members, when there are some. */
  memberLines?: number[];
}

/** A declaration as it stands in its file, with the comment above it. */
export function declared(
  workspace: CodeWorkspace,
  item: DefinitionTarget,
  text: LineIndex | undefined,
  fallbackName: string,
  kind: string,
): Definition {
  const range = item.fullRange ?? item.range;
  const isMinified = (text?.lineText(range.start.line)?.length ?? 0) > maxLineChars;
  const sourceRange =
    text === undefined || isMinified ? range : withDocumentation(item.path, text, wholeLines(text, range));
  return {
    path: item.path,
    position: item.range.start,
    name: text === undefined ? fallbackName : nameAt(text, item.range) || fallbackName,
    kind,
    source: text === undefined ? '' : sourceAt(text, sourceRange, isMinified),
    sourceRange,
    isLibrary: isLibraryPath(workspace, item.path),
  };
}

/** A line longer than this was not written by a person: only the declaration itself is worth showing. */
export const maxLineChars = 1000;

function sourceAt(text: LineIndex, { start, end }: Range, isMinified: boolean): string {
  const source = text.text.slice(text.offsetAt(start), text.offsetAt(end));
  return isMinified && source.length > maxLineChars ? `${source.slice(0, maxLineChars)}…` : source;
}

function nameAt(text: LineIndex, range: Range): string {
  const name = text.text.slice(text.offsetAt(range.start), text.offsetAt(range.end));
  return /^[^\s(){}]{1,200}$/.test(name) ? name : '';
}

function wholeLines(text: LineIndex, range: Range): Range {
  const last = text.lineText(range.end.line) ?? '';
  // An end at the first column belongs to the line before.
  const endLine = range.end.column === 1 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  const end = endLine === range.end.line ? last : (text.lineText(endLine) ?? '');
  return { start: { line: range.start.line, column: 1 }, end: { line: endLine, column: end.length + 1 } };
}

/** Takes in the comment and decorator lines above a declaration; one empty line may follow a documentation comment. */
function withDocumentation(path: string, text: LineIndex, range: Range): Range {
  // Where `#` begins a private member it is no comment.
  const comment = isScriptFile(path) ? /^(\/\*\*|\*|\/\/|@)/ : /^(\/\*\*|\*|\/\/|@|#)/;
  let line = range.start.line;
  const isApart = text.lineText(line - 1)?.trim() === '' && /^\s*\*\/$/.test(text.lineText(line - 2) ?? '');
  if (isApart) line--;
  for (let above = line - 1; above >= 1 && line - above <= 1 && range.start.line - above < 80; above--) {
    const content = text.lineText(above)?.trim() ?? '';
    if (comment.test(content) || content.endsWith('*/')) line = above;
    else break;
  }
  const start = isApart && line === range.start.line - 1 ? range.start.line : line;
  return { start: { line: start, column: 1 }, end: range.end };
}
