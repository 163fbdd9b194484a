import type ts from 'typescript-classic';
import type { RenameBackend } from '../servers/backend.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import type { ModuleMention } from '../semantics/mentions.ts';

/**
 * How a file handles the module that it names as an object: imports it as one and uses that other than by `name.member`, or loads it at
 * run time. Undefined when it does not.
 */
export async function moduleAsObject(
  backend: RenameBackend,
  mention: ModuleMention,
  specifier: RegExp,
): Promise<string | undefined> {
  const lead = await leadOf(backend, mention, specifier);
  if (lead === undefined) return undefined;
  if (/(?:import|require|mock)\s*\(\s*$/.test(lead)) return 'its module is loaded as an object';
  const name = /\*\s+as\s+(\S+)\s+from\s*$/.exec(lead)?.[1];
  return name !== undefined && (await usesBare(backend, mention.path, name))
    ? 'its module is handled as an object'
    : undefined;
}

/** What stands before the name of the module, from an earlier line on if the import began there; undefined when it is plainly no object. */
async function leadOf(
  backend: RenameBackend,
  { path, line, before }: ModuleMention,
  specifier: RegExp,
): Promise<string | undefined> {
  if (before !== undefined && /\}\s*from\s*$/.test(before)) return undefined;
  if (before !== undefined && /(?:^|[\s;}])(?:import|export)\b|\w\s*\(\s*$/.test(before)) return before;
  const lines = await linesUpTo(backend, path, line);
  const current = lines.pop() ?? '';
  const at = before?.length ?? current.search(specifier);
  return at === -1 ? undefined : [...lines, current.slice(0, at)].join('\n');
}

/** A line and the five before it. */
async function linesUpTo(backend: RenameBackend, path: string, line: number): Promise<string[]> {
  const first = Math.max(line - 5, 1);
  const looked = await backend.seen.look(path, (bytes) => {
    let start = 0;
    for (let at = 1; at < first; at++) start = bytes.indexOf(lineFeed, start) + 1;
    let end = start - 1;
    for (let at = first; at <= line && (at === first || end !== -1); at++) end = bytes.indexOf(lineFeed, end + 1);
    return bytes.includes(0) ? undefined : bytes.toString('utf8', start, end === -1 ? bytes.length : end).split('\n');
  });
  if (looked !== undefined) return looked;
  const text = await backend.text(path);
  return Array.from({ length: line - first + 1 }, (_, at) => text.lineText(first + at) ?? '');
}

/** Whether a namespace import is used in another way than `name.member`. The lines decide most cases; the parser the rest. */
async function usesBare(backend: RenameBackend, path: string, name: string): Promise<boolean> {
  // Names of other letters are left to the parser, and so is what cannot be looked at as plain bytes.
  const isDoubtful =
    !/^[\w$]+$/.test(name) ||
    ((await backend.seen.look(path, (bytes) => bytes.includes(0) || hasBareName(bytes, name))) ?? true);
  if (!isDoubtful) return false;
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (tsc.isImportDeclaration(node) || tsc.isNamespaceExport(node)) return false;
    if (tsc.isIdentifier(node) && node.text === name) {
      const { parent } = node;
      const isMember = tsc.isQualifiedName(parent) || tsc.isPropertyAccessExpression(parent);
      const isOther = 'name' in parent && parent.name === node;
      return !isMember && !isOther;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(parse(path, (await backend.text(path)).text));
}

/** Only ASCII characters decide, and UTF-8 has them nowhere else: hundreds of files need not be decoded for this. */
function hasBareName(bytes: Buffer, name: string): boolean {
  const word = Buffer.from(name, 'latin1');
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length))
    if (!isPartOfName(bytes, at, at + word.length) && !isMember(bytes, at + word.length)) {
      const before = bytes.toString('latin1', bytes.lastIndexOf(10, at) + 1, at);
      if (!isText(before) && !/\*\s*as\s+$/.test(before)) return true;
    }
  return false;
}

function isPartOfName(bytes: Buffer, start: number, end: number): boolean {
  const before = bytes[start - 1] ?? 0;
  return before === dot || isNameByte(before) || isNameByte(bytes[end] ?? 0);
}

const [lineFeed, dot, colon, questionMark] = [10, 46, 58, 63];

/** What follows is a member of it, or it is a name before a colon. */
function isMember(bytes: Buffer, end: number): boolean {
  let at = end;
  while (isSpaceByte(bytes[at] ?? 0)) at++;
  if (bytes[at] === dot || bytes[at] === colon) return true;
  return bytes[at] === questionMark && bytes[at + 1] === colon;
}

function isSpaceByte(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 97 && byte <= 122) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 48 && byte <= 57) ||
    byte === 95 ||
    byte === 36
  );
}

/** Whether what follows on a line is a comment, or within a string or pattern. */
function isText(before: string): boolean {
  return (
    /^\s*(?:\*|\/\*|\/\/)/.test(before) ||
    /\s\/\/\s/.test(before) ||
    /^(?:[^'"`]|'[^']*'|"[^"]*"|`[^`]*`)*['"][^'"`]*$/.test(before) ||
    (/`[^`]*$/.test(before) && !/\$\{[^}]*$/.test(before)) ||
    /(?:^|[(=,:&|!])\s*\/(?:[^/\\]|\\.)+$/.test(before)
  );
}
