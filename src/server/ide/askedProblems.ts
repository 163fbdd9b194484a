import type { IdeActions, Problem } from './ideActions.ts';

/** Claude Code waits two seconds for the problems of everything. */
const wholeProjectMs = 1500;

/**
 * Problems as Claude Code asks for them: of a file before it edits it, and of everything afterwards, of which it takes the files that it
 * had asked about. So these are always among them, however large the project.
 */
export class AskedProblems {
  readonly #actions: IdeActions;
  readonly #asked = new Set<string>();

  constructor(actions: IdeActions) {
    this.#actions = actions;
  }

  async of(path: string | undefined, signal: AbortSignal): Promise<Problem[]> {
    if (path !== undefined) {
      const found = await this.#actions.problems(path, signal);
      this.#asked.add(path);
      return found;
    }
    if (this.#asked.size === 0) return this.#actions.problems(undefined, signal);
    const [all, ...asked] = await Promise.all([
      this.#wholeProject(signal),
      ...[...this.#asked].map((each) => this.#stillThere(each, signal)),
    ]);
    const first = asked.flat();
    const known = new Set(first.map((problem) => problem.path));
    return [...first, ...all.filter((problem) => !known.has(problem.path))];
  }

  async #wholeProject(signal: AbortSignal): Promise<Problem[]> {
    const late = AbortSignal.timeout(wholeProjectMs);
    return this.#actions.problems(undefined, AbortSignal.any([signal, late])).catch((error: unknown) => {
      if (late.aborted) return [];
      throw error;
    });
  }

  /** A file that is gone has no problems. */
  async #stillThere(path: string, signal: AbortSignal): Promise<Problem[]> {
    return this.#actions.problems(path, signal).catch(() => {
      this.#asked.delete(path);
      return [];
    });
  }
}
