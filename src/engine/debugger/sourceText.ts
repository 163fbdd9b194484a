import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { LineIndex } from '../../base/positions.ts';
import { isPrivate } from '../workspace/ownFolders.ts';
import { type LineSpan, statementAround } from './statement.ts';

interface SourceLine {
  number: number;
  content: string;
  isCurrent: boolean;
}

export interface SourceContext {
  file: string;
  startLine: number;
  endLine: number;
  currentLine: number;
  lines: SourceLine[];
  breakpointsInView: number[];
  /** The lines of the statement that the current line is part of, when it was asked for. */
  statement?: LineSpan;
}

const maxSourceBytes = 20_000_000;
const maxLineChars = 500;

/** Texts of source files as they are on disk now; read again when a file has changed. */
export class SourceTexts {
  readonly #cache = new Map<string, { stamp: string; index: LineIndex }>();
  readonly #asked = new Map<string, Promise<LineIndex | undefined>>();

  /** Undefined when there is no such regular file. What is asked for at the same time is looked up once. */
  lines(file: string): Promise<LineIndex | undefined> {
    const asked = this.#asked.get(file);
    if (asked !== undefined) return asked;
    const answer = this.#read(file).finally(() => this.#asked.delete(file));
    this.#asked.set(file, answer);
    return answer;
  }

  async #read(file: string): Promise<LineIndex | undefined> {
    try {
      // Every stop asks, and handing it to another thread costs many times what it takes.
      const facts = statSync(file);
      if (!facts.isFile() || facts.size > maxSourceBytes) return undefined;
      const stamp = `${facts.mtimeMs}:${facts.size}`;
      const known = this.#cache.get(file);
      if (known?.stamp === stamp) return known.index;
      // A program and its source maps may name any file.
      if (isPrivate(realpathSync(file))) return undefined;
      const index = new LineIndex(await readFile(file, 'utf8'));
      if (this.#cache.size > 64) this.#cache.clear();
      this.#cache.set(file, { stamp, index });
      return index;
    } catch {
      return undefined;
    }
  }
}

export function sourceContext(
  file: string,
  index: LineIndex,
  currentLine: number,
  contextLines: number,
  breakpointLines: readonly number[],
  withStatement = false,
): SourceContext {
  const statement = withStatement ? statementAround(index, currentLine) : undefined;
  const startLine = Math.max(1, Math.min(currentLine - contextLines, statement?.start ?? currentLine));
  const endLine = Math.min(index.lineCount, Math.max(currentLine + contextLines, statement?.end ?? currentLine));
  const lines: SourceLine[] = [];
  for (let number = startLine; number <= endLine; number++)
    lines.push({
      number,
      content: (index.lineText(number) ?? '').slice(0, maxLineChars),
      isCurrent: number === currentLine,
    });
  // A final empty line is the end of the file, not a line of it.
  if (lines.at(-1)?.content === '' && endLine === index.lineCount && lines.length > 1) lines.pop();
  return {
    file,
    startLine,
    endLine: lines.at(-1)?.number ?? startLine,
    currentLine,
    lines,
    breakpointsInView: breakpointLines.filter((line) => line >= startLine && line <= endLine).toSorted((a, b) => a - b),
    ...(statement === undefined ? {} : { statement }),
  };
}
