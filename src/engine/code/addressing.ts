import { extname } from 'node:path';
import { isPythonFile, isScriptFile } from '../../base/languages/byPath.ts';
import { ToolError } from '../../base/errors.ts';
import type { LineIndex, Position, Range } from '../../base/positions.ts';
import type { CodeWorkspace } from './codeWorkspace.ts';
import type { Waiting } from './model.ts';
import { resolveSymbol } from './symbolAddress.ts';
import { identifierAt, identifiersIn, symbolNameAt, symbolNamesIn, type Identifier } from './syntax/identifiers.ts';

/** How a caller points at a symbol: a place in a file, an excerpt of a line, or a name. */
export interface Address {
  /** Absolute. */
  file?: string;
  line?: number;
  column?: number;
  /** An excerpt of the line; its last name is meant. */
  text?: string;
  /** `OrderService/total`, `OrderService.total`, `src/a.ts#total`, or a handle `src/a.ts:12:5`. */
  symbol?: string;
  /** A column inside a string means the string. */
  acceptsStrings?: boolean;
}

/** A name in a file that an address turned out to mean. */
export interface Target {
  path: string;
  name: string;
  position: Position;
  range: Range;
  /** How the address was read when it did not say it exactly. */
  notes: string[];
}

/** Finds what an address means. Several meanings are an error that lists them; there is never a silent first pick. */
export async function resolveAddress(workspace: CodeWorkspace, address: Address, waiting: Waiting): Promise<Target> {
  return assignedName(workspace, await addressed(workspace, address, waiting));
}

/** `res.send = function send() {`: the own name of such a function is known only inside of it; the one it is assigned to is meant. */
const ownName = /([\w$]+)(\s*[=:]\s*(?:async\s+)?(?:function\s*\*?|class)\s+)$/;

async function assignedName(workspace: CodeWorkspace, target: Target): Promise<Target> {
  if (!isScriptFile(target.path)) return target;
  const line = (await workspace.texts.tryGet(target.path))?.lineText(target.position.line) ?? '';
  const assigned = ownName.exec(line.slice(0, target.position.column - 1));
  const name = assigned?.[1];
  if (assigned === null || name !== target.name) return target;
  const position = { line: target.position.line, column: assigned.index + 1 };
  const end = { line: position.line, column: position.column + name.length };
  return { ...target, name, position, range: { start: position, end } };
}

async function addressed(workspace: CodeWorkspace, address: Address, waiting: Waiting): Promise<Target> {
  if (address.file !== undefined) workspace.prepareServer(address.file);
  await workspace.sync();
  if (address.symbol !== undefined) {
    const handle = parseHandle(address.symbol);
    if (handle !== undefined) {
      const path = await workspace.findFile(handle.file);
      if (path !== undefined) return resolveInFile(workspace, { file: path, line: handle.line, column: handle.column });
    }
    return resolveSymbol(workspace, address.symbol, address.file, waiting);
  }
  if (address.file === undefined)
    throw new ToolError('invalid_arguments', 'No symbol is named.', {
      hint: 'Pass file, line and column; or file, line and text (an excerpt of the line); or symbol ("ClassName/method").',
    });
  return resolveInFile(workspace, { ...address, file: address.file });
}

/** The handle of a place, accepted wherever a symbol is. */
function handleOf(workspace: CodeWorkspace, path: string, position: Position): string {
  return `${workspace.shown(path)}:${position.line}:${position.column}`;
}

function parseHandle(symbol: string): { file: string; line: number; column: number } | undefined {
  const match = /^(.+):(\d+):(\d+)$/.exec(symbol);
  if (match === null) return undefined;
  return { file: match[1] ?? '', line: Number(match[2]), column: Number(match[3]) };
}

async function resolveInFile(workspace: CodeWorkspace, address: Address & { file: string }): Promise<Target> {
  const { file: path } = address;
  const text = await workspace.texts.get(path);
  if (address.line === undefined && address.text !== undefined) return findExcerpt(workspace, path, text, address.text);
  if (address.line === undefined)
    throw new ToolError('invalid_arguments', `Which symbol of ${workspace.shown(path)} is meant?`, {
      hint: 'Pass line and column, line and text, or symbol.',
    });
  if (address.text !== undefined) return resolveExcerpt(workspace, path, text, address.line, address.text);
  const line = text.lineText(address.line);
  if (line === undefined)
    throw new ToolError(
      'symbol_not_found',
      `${workspace.shown(path)} has ${text.lineCount} lines; there is no line ${address.line}.`,
    );
  if (address.column === undefined) return onlyNameOfLine(workspace, path, address.line, line);
  const exact =
    symbolNameAt(line, address.column, extname(path)) ??
    interpolatedName(line, address.column, extname(path)) ??
    (address.acceptsStrings === true ? quotedName(line, address.column, extname(path)) : undefined);
  if (exact !== undefined) return targetAt(path, address.line, exact, []);
  const near = nearestName(line, address.column, extname(path));
  if (near === undefined)
    throw new ToolError(
      'symbol_not_found',
      `There is no name at ${workspace.shown(path)}:${address.line}:${address.column}. The line is: ${line.trim().slice(0, 160)}`,
      { hint: 'Pass text (an excerpt of the line that ends with the name) instead of column.' },
    );
  return targetAt(path, address.line, near, [
    `column ${address.column} has no name; "${near.name}" at column ${near.column} was taken`,
  ]);
}

/** `\`'${name}'\``: quotes in a template string enclose no string, so what stands there may be a name. */
function interpolatedName(line: string, column: number, extension: string): Identifier | undefined {
  if (!isScriptFile(extension)) return undefined;
  const name = identifierAt(line, column);
  const before = name === undefined || name.name === '$' ? '' : line.slice(0, name.column - 1);
  return /`[^`]*\$\{[^}]*$/.test(before) ? name : undefined;
}

/** The first word of the string at a column: members and values of a type can be written as strings. In Python, annotations and fields too. */
function quotedName(line: string, column: number, extension: string): Identifier | undefined {
  if (isPythonFile(extension))
    return isInsideString(line.slice(0, column)) || isInsideString(line.slice(0, column - 1))
      ? identifierAt(line, column)
      : undefined;
  if (!isScriptFile(extension)) return undefined;
  const strings = line.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g);
  const at = [...strings].find(({ 0: text, index }) => column > index && column <= index + text.length + 1);
  const word = at === undefined ? undefined : identifiersIn(at[0])[0];
  return at === undefined || word === undefined ? undefined : { name: word.name, column: at.index + word.column };
}

/** A column that misses by a few characters is clear when exactly one name lies that near. */
function nearestName(line: string, column: number, extension: string): Identifier | undefined {
  if (pointsAtAnother(line, column)) return undefined;
  const introduced = introducedName(line, column, extension);
  if (introduced !== undefined) return introduced;
  const withDistance = symbolNamesIn(line, extension)
    .map((item) => ({ item, distance: Math.max(item.column - column, column - (item.column + item.name.length), 0) }))
    .sort((a, b) => a.distance - b.distance);
  const [first, second] = withDistance;
  if (first === undefined) return undefined;
  if (withDistance.length === 1) return first.item;
  return first.distance <= 4 && (second === undefined || second.distance > first.distance) ? first.item : undefined;
}

/** A column on a keyword (`class`, `extends`) means the name that follows it, with nothing but other keywords in between. */
function introducedName(line: string, column: number, extension: string): Identifier | undefined {
  const word = identifierAt(line, column);
  if (word === undefined) return undefined;
  const next = symbolNamesIn(line, extension).find((item) => item.column > word.column);
  return next !== undefined && /^[\w\s]*$/.test(line.slice(word.column - 1, next.column - 1)) ? next : undefined;
}

/** A column inside a string or right behind it, or at a word that stands for a value, is no miss: it says what is meant, and that is no name. */
function pointsAtAnother(line: string, column: number): boolean {
  const word = identifierAt(line, column)?.name ?? '';
  if (/^(?:this|super|self|true|false|null|True|False|None)$/.test(word)) return true;
  return [column, column - 1, column - 2].some((end) => isInsideString(line.slice(0, Math.max(end, 0))));
}

function isInsideString(before: string): boolean {
  return /^(?:[^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*['"`][^'"`]*$/.test(before.replace(/\\./g, ''));
}

function onlyNameOfLine(workspace: CodeWorkspace, path: string, lineNumber: number, line: string): Target {
  const names = symbolNamesIn(line, extname(path));
  const distinct = new Set(names.map((item) => item.name));
  const [first] = names;
  if (first === undefined)
    throw new ToolError(
      'symbol_not_found',
      `There is no name on ${workspace.shown(path)}:${lineNumber}: "${line.trim()}"`,
    );
  if (distinct.size === 1) return targetAt(path, lineNumber, first, []);
  throw new ToolError('ambiguous_symbol', `Line ${lineNumber} of ${workspace.shown(path)} holds several names.`, {
    hint: `Pass text with one of: ${[...distinct].slice(0, 12).join(', ')}`,
    data: {
      candidates: names.slice(0, 12).map((item) => ({
        name: item.name,
        handle: handleOf(workspace, path, { line: lineNumber, column: item.column }),
      })),
    },
  });
}

/** The excerpt on its line, or on the nearest line that has it: lines move while a model thinks. */
function resolveExcerpt(
  workspace: CodeWorkspace,
  path: string,
  text: LineIndex,
  line: number,
  excerpt: string,
): Target {
  for (let distance = 0; distance <= 40; distance++) {
    for (const candidate of distance === 0 ? [line] : [line - distance, line + distance]) {
      const target = excerptOnLine(path, text, candidate, excerpt);
      if (target === undefined) continue;
      if (distance > 0) target.notes.push(`"${excerpt}" is on line ${candidate}, not ${line}`);
      return target;
    }
  }
  throw new ToolError(
    'text_not_found',
    `"${excerpt}" is not on line ${line} of ${workspace.shown(path)}, nor near it.`,
    {
      hint: `The line is: ${text.lineText(line)?.trim().slice(0, 160) ?? `(the file has ${text.lineCount} lines)`}`,
    },
  );
}

function findExcerpt(workspace: CodeWorkspace, path: string, text: LineIndex, excerpt: string): Target {
  const lines: number[] = [];
  for (let line = 1; line <= text.lineCount; line++) if (text.lineText(line)?.includes(excerpt)) lines.push(line);
  const [only] = lines;
  const target = only === undefined ? undefined : excerptOnLine(path, text, only, excerpt);
  if (target === undefined) throw new ToolError('text_not_found', `"${excerpt}" is not in ${workspace.shown(path)}.`);
  if (lines.length === 1) return target;
  throw new ToolError('ambiguous_symbol', `"${excerpt}" is on ${lines.length} lines of ${workspace.shown(path)}.`, {
    hint: `Pass line with one of: ${lines.slice(0, 20).join(', ')}`,
  });
}

function excerptOnLine(path: string, text: LineIndex, line: number, excerpt: string): Target | undefined {
  const lineText = text.lineText(line);
  const wanted = excerpt.trim();
  if (lineText === undefined || wanted === '') return undefined;
  const last = symbolNamesIn(wanted, extname(path)).at(-1);
  if (last === undefined) return nameAfter(path, line, lineText, wanted);
  const starts = occurrences(lineText, wanted).filter((start) => {
    const at = start + last.column;
    const found = identifierAt(lineText, at);
    // The excerpt ends with the whole name: `f` does not mean the beginning of `function`.
    return found?.column === at && found.name === last.name;
  });
  const [first] = starts;
  if (first === undefined) return undefined;
  const notes =
    starts.length > 1
      ? [`"${wanted}" is ${starts.length} times on line ${line}; the first was taken, pass column for another`]
      : [];
  return targetAt(path, line, { name: last.name, column: first + last.column }, notes);
}

/** An excerpt of nothing but keywords (`export class`) means what they introduce. */
function nameAfter(path: string, line: number, lineText: string, excerpt: string): Target | undefined {
  const start = lineText.indexOf(excerpt);
  if (start === -1) return undefined;
  const next = symbolNamesIn(lineText, extname(path)).find((item) => item.column > start + excerpt.length);
  if (next === undefined) return undefined;
  return targetAt(path, line, next, [`"${excerpt}" holds no name; "${next.name}" after it was taken`]);
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}

/** What to say when the language server knows nothing at a place: it is not the same as a symbol without uses. */
export function noSymbolAt(workspace: CodeWorkspace, { path, name, position }: Target): ToolError {
  return new ToolError(
    'symbol_not_found',
    `The language server knows no symbol at ${workspace.shown(path)}:${position.line}:${position.column} ("${name}").`,
    {
      hint: 'It may be a comment, a string, or code that does not compile: pass the place of the name itself, or symbol.',
    },
  );
}

export function targetAt(path: string, line: number, name: Identifier, notes: string[]): Target {
  const position = { line, column: name.column };
  const end = { line, column: name.column + name.name.length };
  return { path, name: name.name, position, range: { start: position, end }, notes };
}
