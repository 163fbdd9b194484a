import type {
  Location as WireLocation,
  LocationLink,
  Position as WirePosition,
  Range as WireRange,
} from 'vscode-languageserver-protocol';
import { uriToPath } from '../../base/paths.ts';
import type { Position, Range } from '../../base/positions.ts';

/** A place in a file. `path` is absolute; for documents that are not files (a class inside an archive) it is their URI. */
export interface FileRange {
  path: string;
  range: Range;
}

export function fromWirePosition(position: WirePosition): Position {
  return { line: position.line + 1, column: position.character + 1 };
}

export function toWirePosition(position: Position): WirePosition {
  return { line: Math.max(position.line - 1, 0), character: Math.max(position.column - 1, 0) };
}

export function fromWireRange(range: WireRange): Range {
  return { start: fromWirePosition(range.start), end: fromWirePosition(range.end) };
}

export function toWireRange(range: Range): WireRange {
  return { start: toWirePosition(range.start), end: toWirePosition(range.end) };
}

/** Long answers name the same file many times in a row, and reading a URI is dear. */
let last = { uri: '', path: '' };

export function fromWireUri(uri: string): string {
  if (uri !== last.uri) last = { uri, path: uriToPath(uri) ?? uri };
  return last.path;
}

/** A definition as servers send it: a location, or a link that also tells the extent of the whole declaration. */
export interface DefinitionTarget extends FileRange {
  /** The whole declaration when the server told it. */
  fullRange: Range | undefined;
}

export type WireDefinition = WireLocation | WireLocation[] | LocationLink[] | null | undefined;

export function fromWireDefinition(result: WireDefinition): DefinitionTarget[] {
  if (result === null || result === undefined) return [];
  const list = Array.isArray(result) ? result : [result];
  return list.map((item) =>
    'targetUri' in item
      ? {
          path: fromWireUri(item.targetUri),
          range: fromWireRange(item.targetSelectionRange),
          fullRange: fromWireRange(item.targetRange),
        }
      : { path: fromWireUri(item.uri), range: fromWireRange(item.range), fullRange: undefined },
  );
}

export function fromWireLocation(location: WireLocation): FileRange {
  return { path: fromWireUri(location.uri), range: fromWireRange(location.range) };
}
