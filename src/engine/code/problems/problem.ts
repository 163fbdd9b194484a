import type { Diagnostic } from 'vscode-languageserver-protocol';
import { contentHash } from '../../../base/ids.ts';
import type { LineIndex, Range } from '../../../base/positions.ts';
import { fromWireRange } from '../../../protocol/lsp/convert.ts';

export const severities = ['error', 'warning', 'info', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** Something wrong in a file, as a language server or linter sees it. */
export interface Problem {
  /** The same problem keeps its id when lines above it come or go. */
  id: string;
  path: string;
  range: Range;
  severity: Severity;
  code?: string;
  source: string;
  message: string;
  /** Code that is never used, or use of something deprecated. */
  tags?: ('unnecessary' | 'deprecated')[];
  related?: { path: string; range: Range; message: string }[];
}

/** A fix that a linter told with the problem. */
export interface LintFix {
  title: string;
  /** It keeps what the program does. */
  safe: boolean;
  /** It fixes all problems of the kind in the file at once. */
  wholeFile?: boolean;
  /** Why it cannot be applied now. */
  disabled?: string;
  /** Computed on demand where the linter only tells that there is a fix. */
  edits: () => Promise<readonly { range: Range; newText: string }[]>;
}

/** A problem with what is needed to fix it: the server's own form of it, or the fixes of a linter. */
export interface KnownProblem {
  problem: Problem;
  wire: Diagnostic | undefined;
  lintFixes?: () => Promise<readonly LintFix[]>;
}

/** Gives problems of one file their ids: path, code, message and line text, counted when all of that repeats. */
export class ProblemIds {
  readonly #path: string;
  readonly #text: LineIndex | undefined;
  readonly #seen = new Map<string, number>();

  constructor(path: string, text: LineIndex | undefined) {
    this.#path = path;
    this.#text = text;
  }

  next(range: Range, code: string | undefined, message: string): string {
    const line = this.#text?.lineText(range.start.line)?.trim() ?? '';
    const hash = contentHash([this.#path, code ?? '', message, line].join('\0')).slice(0, 8);
    const count = this.#seen.get(hash) ?? 0;
    this.#seen.set(hash, count + 1);
    return count === 0 ? `p${hash}` : `p${hash}.${count + 1}`;
  }
}

export function fromWireDiagnostics(
  path: string,
  text: LineIndex | undefined,
  diagnostics: readonly Diagnostic[],
  defaultSource: string,
): KnownProblem[] {
  const ids = new ProblemIds(path, text);
  const sorted = [...diagnostics].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  return sorted.map((wire) => {
    const range = fromWireRange(wire.range);
    const code = wire.code === undefined ? undefined : String(wire.code);
    const message = withoutExplanations(typeof wire.message === 'string' ? wire.message : wire.message.value);
    const tags = (wire.tags ?? []).map((tag) => (tag === 1 ? 'unnecessary' : 'deprecated'));
    const problem: Problem = {
      id: ids.next(range, code, message),
      path,
      range,
      severity: severities[(wire.severity ?? 1) - 1] ?? 'error',
      code,
      source: wire.source ?? defaultSource,
      message,
      ...(tags.length === 0 ? {} : { tags }),
    };
    return { problem, wire };
  });
}

/** Some servers explain at length, in lines of their own, where they searched and which rule it was. */
function withoutExplanations(message: string): string {
  return message.replace(/\n\s*info: [\s\S]*$/, '');
}
