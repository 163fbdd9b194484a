import { readFileSync } from 'node:fs';

/** The text of the lines `from` to `to` of a file, as it is on disk; empty where there is none. */
type SourceLines = (file: string, from: number, to?: number) => string;

/** Reads each file once: an explanation asks for the same few again and again. */
export function sourceLines(): SourceLines {
  const known = new Map<string, readonly string[]>();
  const linesOf = (file: string): readonly string[] => {
    try {
      return readFileSync(file, 'utf8').split('\n');
    } catch {
      return [];
    }
  };
  return (file, from, to = from) => {
    const lines = known.get(file) ?? linesOf(file);
    known.set(file, lines);
    return lines.slice(from - 1, to).join('\n');
  };
}
