/** One command of the command line: a file in `commands/` and a line in `main.ts`. */
export interface Command {
  name: string;
  /** One line for the overview. */
  summary: string;
  /** How it is called, with its flags; shown by `sightline help NAME`. */
  usage: string;
  /** Left out of the overview. */
  hidden?: boolean;
  /** Resolves to the exit code. */
  run(args: string[], context: CommandContext): Promise<number>;
}

export interface CommandContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The file that was started, for starting it again. */
  entry: string;
  out(text: string): void;
  err(text: string): void;
}

/** The command line was wrong: shown with the usage, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
