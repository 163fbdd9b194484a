import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { AgentClient, JsonFormat, ServerEntry } from './agentClient.ts';

/** The configuration with our server in it, or without (`undefined`). All else stays as the person wrote it, comments included. */
export function withServer(text: string, format: AgentClient['format'], entry: ServerEntry | undefined): string {
  return format.kind === 'json' ? inJson(text, format, entry) : inToml(text, format.table, entry);
}

function inJson(
  text: string,
  { path, entry: entryOf = (server) => ({ ...server }) }: JsonFormat,
  entry: ServerEntry | undefined,
): string {
  const isEmpty = text.trim() === '';
  if (isEmpty && entry === undefined) return text;
  const source = isEmpty ? '{}\n' : text;
  const errors: ParseError[] = [];
  const content: unknown = parse(source, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw new Error(`it is not valid JSON (${printParseErrorCode(error.error)})`);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw new Error('it is not an object');
  if (entry === undefined && valueAt(content, path) === undefined) return text;
  const formattingOptions = { insertSpaces: !/^\t/m.test(source), tabSize: indentOf(source) };
  const set = (into: string, at: readonly string[], value: unknown) =>
    applyEdits(into, modify(into, [...at], value, { formattingOptions }));
  if (entry === undefined) return set(source, path, undefined);
  const existing = valueAt(content, path);
  if (typeof existing !== 'object' || existing === null) return set(source, path, entryOf(entry));
  // How we are started is written anew; what the person chose beside it stays.
  return Object.entries(entryOf(entry))
    .filter(([key]) => startKeys.has(key) || !Object.hasOwn(existing, key))
    .reduce((into, [key, value]) => set(into, [...path, key], value), source);
}

const startKeys = new Set(['type', 'command', 'args']);

function valueAt(content: object, path: readonly string[]): unknown {
  let value: unknown = content;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

/**
 * Our table: how we are started is written anew, what the client or the person put beside it stays (approvals of single tools are kept
 * there). Removing takes the tables below it too. A string of JSON is a string of TOML.
 */
function inToml(text: string, table: string, entry: ServerEntry | undefined): string {
  const { rest, ours } = parted(text.split('\n'), table);
  if (entry === undefined) return ours.length === 0 ? text : joined(rest);
  const args = entry.args.map((word) => JSON.stringify(word)).join(', ');
  const start = [`[${table}]`, `command = ${JSON.stringify(entry.command)}`, `args = [${args}]`];
  const [head, ...kept] = withoutStart(ours);
  // A table of ours below the first one only: ours begins with the line of that header.
  const body = head === undefined || headerOf(head) === table ? kept : [head, ...kept];
  return joined([...rest, ...(joined(rest) === '' ? [] : ['']), ...start, ...body]);
}

function parted(lines: readonly string[], table: string): { rest: string[]; ours: string[] } {
  const rest: string[] = [];
  const ours: string[] = [];
  let isOurs = false;
  for (const line of lines) {
    const header = headerOf(line);
    if (header !== undefined) isOurs = header === table || header.startsWith(`${table}.`);
    (isOurs ? ours : rest).push(line);
  }
  while (rest.at(-1)?.trim() === '') rest.pop();
  return { rest, ours };
}

function headerOf(line: string): string | undefined {
  return /^\s*\[\[?\s*([^\]=]+?)\s*\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
}

/** Our tables without the lines that say how we are started; an array may go over several lines. */
function withoutStart(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let openBrackets = 0;
  for (const line of lines) {
    const isInside = openBrackets > 0;
    if (!isInside && !/^\s*(command|args)\s*=/.test(line)) {
      kept.push(line);
      continue;
    }
    const bare = line.replaceAll(/"(\\.|[^"\\])*"|'[^']*'|#.*$/g, '');
    openBrackets += bare.split('[').length - bare.split(']').length;
  }
  return kept;
}

function joined(lines: readonly string[]): string {
  const text = lines.join('\n').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
