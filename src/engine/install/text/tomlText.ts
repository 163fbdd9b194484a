import { parse, TomlError } from 'smol-toml';
import { UnreadableConfig } from './jsonText.ts';

/** The value at a way through tables; undefined when there is none. Throws `UnreadableConfig`. */
export function tomlValue(text: string, path: readonly string[]): unknown {
  let value: unknown = parsed(text);
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    // Checked to be an object with this key.
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Sets keys of one table and drops others, in place; the table is appended when there is none. Everything else keeps its bytes. */
export function withTomlKeys(
  text: string,
  path: readonly string[],
  values: Readonly<Record<string, unknown>>,
  dropped: readonly string[] = [],
): string {
  parsed(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = Object.entries(values).map(([key, value]) => `${bareKey(key)} = ${shown(value)}${eol}`);
  const header = `[${path.map(bareKey).join('.')}]${eol}`;
  const tables = tablesOf(text);
  const own = tables.find((table) => isSame(table.path, path));
  if (own === undefined) {
    const below = tables.find((table) => isBelow(table.path, path));
    if (below !== undefined) return text.slice(0, below.start) + header + lines.join('') + text.slice(below.start);
    const gap = text === '' ? '' : `${text.endsWith('\n') ? '' : eol}${eol}`;
    return text + gap + header + lines.join('');
  }
  const wanted = new Map(Object.keys(values).map((key, index) => [key, lines[index] ?? '']));
  let body = '';
  let from = own.bodyStart;
  for (const { key, start, end } of own.statements) {
    const line = wanted.get(key);
    wanted.delete(key);
    const isEqual = line !== undefined && isSameValue(text.slice(start, end), line);
    body +=
      text.slice(from, start) +
      (isEqual ? text.slice(start, end) : dropped.includes(key) ? '' : (line ?? text.slice(start, end)));
    from = end;
  }
  const kept = text.slice(from, own.end);
  return text.slice(0, own.bodyStart) + [...wanted.values()].join('') + body + kept + text.slice(own.end);
}

/** Takes a table out, with those below it and the empty line before it. */
export function withoutTomlTable(text: string, path: readonly string[]): string {
  parsed(text);
  let left = text;
  for (;;) {
    const table = tablesOf(left).findLast((each) => isBelow(each.path, path));
    if (table === undefined) return left;
    const before = left.slice(0, table.start).replace(/(^|\n)[ \t]*\r?\n$/, '$1');
    // What stands behind the last statement belongs to what comes next.
    const after = left.slice(table.statements.at(-1)?.end ?? table.bodyStart);
    left = before === '' ? after.replace(/^([ \t]*\r?\n)+/, '') : before + after;
  }
}

interface Statement {
  key: string;
  start: number;
  end: number;
}

interface Table {
  path: string[];
  /** Of the header's line, of what is below it, and of its end. */
  start: number;
  bodyStart: number;
  end: number;
  statements: Statement[];
}

/** Strings, comments and brackets: what decides whether a line end ends a statement. */
const token = /"""(?:\\[\s\S]|[^\\])*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/g;

function tablesOf(text: string): Table[] {
  const tables: Table[] = [];
  for (let start = 0; start < text.length;) {
    const end = statementEnd(text, start);
    const line = text.slice(start, end);
    const current = tables.at(-1);
    if (/^\s*\[/.test(line)) {
      if (current !== undefined) current.end = start;
      tables.push({ path: headerPath(line), start, bodyStart: end, end: text.length, statements: [] });
    } else if (current !== undefined && !/^\s*(#|$)/.test(line)) {
      const key = /^\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))/.exec(line);
      current.statements.push({ key: key?.[1] ?? key?.[2] ?? key?.[3] ?? '', start, end });
    }
    start = end;
  }
  return tables;
}

/** The end of the line in which the statement that begins here ends. */
function statementEnd(text: string, start: number): number {
  let depth = 0;
  token.lastIndex = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    if (found === '[' || found === '{') depth++;
    else if (found === ']' || found === '}') depth--;
    else if (found === '\n' && depth <= 0) return token.lastIndex;
  }
  return text.length;
}

function headerPath(line: string): string[] {
  const path: string[] = [];
  let value: unknown = parse(line);
  while (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) value = value[0];
    const [first] = Object.entries(value ?? {});
    if (first === undefined) break;
    path.push(first[0]);
    value = first[1];
  }
  return path;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isBelow(one, other);
}

function isBelow(one: readonly string[], other: readonly string[]): boolean {
  return other.every((key, index) => one[index] === key);
}

function isSameValue(one: string, other: string): boolean {
  return JSON.stringify(parse(one)) === JSON.stringify(parse(other));
}

/** A string of JSON is a string of TOML. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${bareKey(key)} = ${shown(inner)}`)
    .join(', ')} }`;
}

function bareKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new UnreadableConfig(`it is not valid TOML: ${reason} at line ${error.line}, column ${error.column}`);
  }
}
