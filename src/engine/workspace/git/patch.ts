import { contentHash } from '../../../base/ids.ts';

/** A difference as git prints it (`--raw -p`), taken apart. Texts are one byte per character until they are shown. */
export interface FilePatch {
  /** From the root of the project. */
  file: string;
  from?: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'retyped' | 'conflict';
  oldMode: string;
  newMode: string;
  binary: boolean;
  /** Git's output was cut before it. */
  missing: boolean;
  hunks: Hunk[];
}

export interface Hunk {
  /** The same for the same lines in the same file, wherever they stand. */
  id: string;
  oldStart: number;
  newStart: number;
  /** What git names the place: the function around it. */
  heading: string;
  /** Each with its sign; `\` marks a missing line end. */
  lines: string[];
}

const changes = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'retyped',
  U: 'conflict',
} as const;

/** `bytes` may be cut anywhere: what is not whole is left out. */
export function parsePatch(bytes: Buffer, truncated = false): FilePatch[] {
  const lines = bytes.toString('latin1').split('\n');
  const files: FilePatch[] = [];
  let at = 0;
  for (; lines[at]?.startsWith(':') === true; at++) {
    const match = /^:(\d+) (\d+) \S+ \S+ ([A-Z])\d*\t(.*)$/.exec(lines[at] ?? '');
    if (match === null) continue;
    const names = (match[4] ?? '').split('\t').map(unquoted);
    const letter = match[3] ?? '';
    files.push({
      file: utf8(names.at(-1) ?? ''),
      ...(names.length > 1 ? { from: utf8(names[0] ?? '') } : {}),
      change: letter in changes ? changes[letter as keyof typeof changes] : 'modified',
      oldMode: match[1] ?? '',
      newMode: match[2] ?? '',
      binary: false,
      missing: truncated,
      hunks: [],
    });
  }
  // A file that became a link has two parts: one that deletes it and one that adds it.
  const parts = files
    .filter(({ change }) => change !== 'conflict')
    .flatMap((file) => (file.change === 'retyped' ? [file, file] : [file]));
  const end = truncated ? lines.length - 1 : lines.length;
  let part = -1;
  for (; at < end; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) {
      part++;
      const previous = parts[part - 1];
      if (previous !== undefined) previous.missing = false;
    } else if (line.startsWith('Binary files ')) set(parts[part], { binary: true });
    else if (line.startsWith('@@ ')) at = readHunk(lines, at, end, parts[part]);
  }
  if (!truncated) for (const file of files) file.missing = false;
  return withoutOurs(files);
}

function set(file: FilePatch | undefined, facts: Partial<FilePatch>): void {
  if (file !== undefined) Object.assign(file, facts);
}

/** The index of the hunk's last line. */
function readHunk(lines: readonly string[], start: number, end: number, file: FilePatch | undefined): number {
  const match = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(lines[start] ?? '');
  let at = start + 1;
  while (at < end && /^[-+ \\~]/.test(lines[at] ?? '')) at++;
  if (file === undefined || match === null) return at - 1;
  const own = lines.slice(start + 1, at);
  const hash = contentHash(Buffer.from(`${file.file}\0${own.join('\n')}`, 'latin1')).slice(0, 8);
  const same = file.hunks.filter(({ id }) => id.startsWith(`h${hash}`)).length;
  file.hunks.push({
    id: `h${hash}${same === 0 ? '' : `-${same + 1}`}`,
    oldStart: Number(match[1]),
    newStart: Number(match[2]),
    heading: utf8(match[3] ?? ''),
    lines: own,
  });
  return at - 1;
}

/** A file in conflict is named twice: as such, and with its difference from our side. */
function withoutOurs(files: readonly FilePatch[]): FilePatch[] {
  const conflicts = new Map(files.filter(({ change }) => change === 'conflict').map((file) => [file.file, file]));
  return files.filter((file) => {
    const conflict = conflicts.get(file.file);
    if (conflict === undefined || conflict === file) return true;
    Object.assign(conflict, { hunks: file.hunks, binary: file.binary, missing: file.missing });
    return false;
  });
}

export function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** As a person reads it. */
export function hunkText({ lines }: Hunk): string {
  return utf8(lines.join('\n'));
}

export function hunkHeader(hunk: Hunk): string {
  const { oldStart, newStart, heading } = hunk;
  const [oldCount, newCount] = countsOf(hunk.lines);
  return `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@${heading === '' ? '' : ` ${heading}`}`;
}

export function countsOf(lines: readonly string[]): [old: number, fresh: number] {
  const signs = lines.map((line) => line[0]);
  const context = signs.filter((sign) => sign === ' ').length;
  return [context + signs.filter((sign) => sign === '-').length, context + signs.filter((sign) => sign === '+').length];
}

export function signCount(file: FilePatch, sign: '+' | '-'): number {
  return file.hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line[0] === sign).length, 0);
}

/** Names with control characters, quotes or backslashes are written like strings of C. */
export function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/g, (_, escape: string) =>
      escape.length === 3 ? String.fromCharCode(Number.parseInt(escape, 8)) : (escapes[escape] ?? escape),
    );
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** Whichever name, as `git apply` reads it. */
export function quoted(name: string): string {
  const bytes = Buffer.from(name, 'utf8').toString('latin1');
  return `"${bytes.replaceAll(/["\\\x00-\x1f\x7f-\xff]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`;
}
