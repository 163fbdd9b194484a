import { statSync } from 'node:fs';
import type { RecordedRun } from './recordRun.ts';

/** An answer that was given before to the same question. */
export interface EarlierAnswer {
  lines: readonly string[];
  /** Files that ran then or now and were changed in between. */
  edited: string[];
}

const keptAnswers = 40;

/** The answers to the last questions, so that one asked again after an edit can say what the edit changed. */
export class AskedBefore {
  readonly #answers = new Map<string, { lines: readonly string[]; startedAt: number; files: readonly string[] }>();

  /** Keeps an answer, and gives the one before when something that it depends on was edited since. */
  keep(question: string, lines: readonly string[], { recording, startedAt }: RecordedRun): EarlierAnswer | undefined {
    const before = this.#answers.get(question);
    const files = [...new Set(recording.functions.map(({ fn }) => fn.file))];
    this.#answers.delete(question);
    this.#answers.set(question, { lines, startedAt, files });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > keptAnswers && oldest !== undefined) this.#answers.delete(oldest);
    if (before === undefined) return undefined;
    const edited = [...new Set([...before.files, ...files])].filter((file) => changedAt(file) > before.startedAt);
    return edited.length === 0 ? undefined : { lines: before.lines, edited };
  }
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}
