import type { Doubt } from '../../engine/code/uses/accounting.ts';

/** A reference as the tools answer it: the seeds' shape with what else is known. */
interface Usage {
  file: string;
  line: number;
  column: number;
  context: string;
  type: string;
  enclosing?: string | undefined;
}

const maxContextChars = 52;
/** Kinds that the line's own text does not show. */
const shownKinds: Readonly<Record<string, string>> = { WRITE: 'write', TYPE_USE: 'type', INHERITANCE: 'inherits' };

/** Usages under their files: the line number and what stands there. What an import looks like is known. */
export function usageLines(usages: readonly Usage[], name: string): string[] {
  const lines: string[] = [];
  let file: string | undefined;
  for (let index = 0; index < usages.length;) {
    const usage = usages[index];
    if (usage === undefined) break;
    if (usage.file !== file) {
      file = usage.file;
      lines.push(file);
    }
    const times = sameLine(usages, index);
    lines.push(` ${usage.line}${times === 1 ? '' : ` ×${times}`}${whatOf(usage, name)}`);
    index += times;
  }
  return lines;
}

/** How many usages from here on stand in one line and are of one kind: the line is told once. */
function sameLine(usages: readonly Usage[], from: number): number {
  const first = usages[from];
  let next = from + 1;
  while (usages[next]?.file === first?.file && usages[next]?.line === first?.line && usages[next]?.type === first?.type)
    next++;
  return next - from;
}

function whatOf(usage: Usage, name: string): string {
  if (usage.type === 'IMPORT') return ' import';
  const kind = shownKinds[usage.type];
  return `${kind === undefined ? '' : ` ${kind}`}: ${around(usage.context, name)}`;
}

/** The part of a long line in which the name stands. */
function around(context: string, name: string): string {
  if (context.length <= maxContextChars) return context;
  const at = Math.max(context.indexOf(name), 0);
  const start = at + name.length <= maxContextChars ? 0 : Math.min(at - 16, context.length - maxContextChars);
  const part = context.slice(start, start + maxContextChars);
  return `${start > 0 ? '…' : ''}${part}${start + maxContextChars < context.length ? '…' : ''}`;
}

const maxPossibleShown = 10;

/** Why there are places that may be meant, then the places, one entry for each line, and how many were left out. */
export function possiblePlaces(
  places: readonly { file: string; line: number; context: string; doubt: Doubt }[],
  name: string,
  unchecked = 0,
): string[] {
  const why = [...reasonsOf(places), ...(unchecked > 0 ? [`${unchecked} not looked at: too many`] : [])];
  if (why.length === 0) return [];
  const lines = [...new Set(places.map(({ file, line, context }) => `${file}:${line} ${around(context, `.${name}`)}`))];
  const rest = lines.length - maxPossibleShown;
  return [`${why.join('; ')}:`, ...lines.slice(0, maxPossibleShown), ...(rest > 0 ? [`… ${rest} more`] : [])];
}

/** Why places are only possible, in words, the most frequent reason first: `3 on a receiver of unknown type`. */
function reasonsOf(places: readonly { doubt: Doubt }[]): string[] {
  const counts = new Map<Doubt, number>();
  for (const { doubt } of places) counts.set(doubt, (counts.get(doubt) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([doubt, count]) => `${count} ${doubtTexts[doubt]}`);
}

const doubtTexts: Record<Doubt, string> = {
  unresolved: 'not resolved by the engine (receiver of unknown or other type)',
  loose: 'on an object that no class or interface declares',
  base: 'through a base class that has it too',
  library: 'resolved to the member of a library that it stands in for',
  unread: 'in a file that the engine does not read',
};

export function possibleLines(places: readonly string[] | undefined): string[] {
  return titled('possible, by name only:', places);
}

export function titled(title: string, items: readonly string[] | undefined): string[] {
  return items === undefined ? [] : [title, ...items.map((item) => ` ${item}`)];
}

/** Counts per file, with folders said once: `src/a/: b.ts 3, c.ts 1`. */
export function fileCountLines(files: readonly { file: string; count: number }[]): string[] {
  const folders = new Map<string, string[]>();
  for (const { file, count } of files) {
    const slash = file.lastIndexOf('/');
    const folder = file.slice(0, slash + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), `${file.slice(slash + 1)} ${count}`]);
  }
  return [...folders].map(([folder, names]) => `${folder === '' ? './' : folder} ${names.join(', ')}`);
}
