import type { NamedCoverage } from '../model.ts';

interface Block {
  start: number;
  end: number;
  count: number;
}

/** `go test -coverprofile`: blocks of statements. The name of a file begins with the import path of its package. */
export function readGoProfile(text: string): NamedCoverage[] {
  const blocks = new Map<string, Block[]>();
  for (const row of text.split(/\r?\n/)) {
    const match = /^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/.exec(row);
    if (match === null) continue;
    const [, name = '', start, end, count] = match;
    const block = { start: Number(start), end: Number(end), count: Number(count) };
    const known = blocks.get(name);
    if (known === undefined) blocks.set(name, [block]);
    else known.push(block);
  }
  return [...blocks].map(([name, all]) => ({ name, lines: linesOf(all) }));
}

/** A line belongs to each block that it lies in; it ran when one of them did: `if x {` is the end of one and the beginning of another. */
function linesOf(blocks: readonly Block[]): Map<number, number> {
  const lines = new Map<number, number>();
  for (const { start, end, count } of blocks)
    for (let line = start; line <= end; line++) lines.set(line, Math.max(lines.get(line) ?? 0, count));
  return lines;
}
