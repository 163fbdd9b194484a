import { applyEdits, modify, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { AgentClient } from './clients.ts';

export interface ServerEntry {
  command: string;
  args: readonly string[];
}

/** The configuration with our server in it, or without (`undefined`). All else stays as the person wrote it, comments included. */
export function withServer(text: string, format: AgentClient['format'], entry: ServerEntry | undefined): string {
  return format.kind === 'json' ? inJson(text, format, entry) : inToml(text, format.table, entry);
}

function inJson(
  text: string,
  { path, extra }: Extract<AgentClient['format'], { kind: 'json' }>,
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
  if (entry === undefined && !has(content, path)) return text;
  const formattingOptions = { insertSpaces: !/^\t/m.test(source), tabSize: indentOf(source) };
  const value = entry === undefined ? undefined : { ...extra, command: entry.command, args: entry.args };
  return applyEdits(source, modify(source, [...path], value, { formattingOptions }));
}

function has(content: object, path: readonly string[]): boolean {
  let value: unknown = content;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}

function indentOf(text: string): number {
  return /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
}

/** Replaces our table and the tables below it; a string of JSON is a string of TOML too. */
function inToml(text: string, table: string, entry: ServerEntry | undefined): string {
  const kept: string[] = [];
  let isOurs = false;
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1]?.replaceAll(/["'\s]/g, '');
    if (header !== undefined) isOurs = header === table || header.startsWith(`${table}.`);
    if (!isOurs) kept.push(line);
  }
  const rest = kept.join('\n').trimEnd();
  if (entry === undefined) return kept.length === text.split('\n').length ? text : rest === '' ? '' : `${rest}\n`;
  const args = entry.args.map((word) => JSON.stringify(word)).join(', ');
  const ours = `[${table}]\ncommand = ${JSON.stringify(entry.command)}\nargs = [${args}]\n`;
  return rest === '' ? ours : `${rest}\n\n${ours}`;
}
