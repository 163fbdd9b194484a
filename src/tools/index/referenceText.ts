/** A reference as the tools answer it: the seeds' shape with what else is known. */
export interface Usage {
  file: string;
  line: number;
  column: number;
  context: string;
  type: string;
  enclosing?: string | undefined;
}

const maxContextChars = 76;
/** Kinds that the line's own text does not show. */
const shownKinds: Readonly<Record<string, string>> = { WRITE: 'write', TYPE_USE: 'type', INHERITANCE: 'inherits' };

/** Usages under their files: the line number and what stands there. */
export function usageLines(usages: readonly Usage[]): string[] {
  const lines: string[] = [];
  let file: string | undefined;
  for (const usage of usages) {
    if (usage.file !== file) {
      file = usage.file;
      lines.push(file);
    }
    const kind = shownKinds[usage.type];
    lines.push(` ${usage.line}${kind === undefined ? '' : ` ${kind}`}: ${shorten(usage.context)}`);
  }
  return lines;
}

function shorten(context: string): string {
  return context.length <= maxContextChars ? context : `${context.slice(0, maxContextChars)}…`;
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
