import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { KnownProblem } from './problem.ts';

export interface LintResult {
  /** `Ruff 0.8.1`. */
  engine: string;
  problems: KnownProblem[];
  /** Why not everything was checked. */
  failure?: string;
}

/** A linter beside the language servers. */
export interface ProblemSource {
  /** Checks these files, or the whole project when there are none. Undefined when the project does not use this linter. */
  analyse(
    workspace: CodeWorkspace,
    files: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<LintResult | undefined>;
}
