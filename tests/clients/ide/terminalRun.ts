import { spawn, type ChildProcess } from 'node:child_process';

/** A client at a terminal of its own, as its person sits before it. */
export class TerminalRun {
  output = '';
  readonly #child: ChildProcess;

  constructor(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    this.#child = spawn('script', ['-qfec', `stty cols 120 rows 40; exec ${line}`, '/dev/null'], {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** What stands on its screen, without what moves and colours. */
  get screen(): string {
    // eslint-disable-next-line no-control-regex
    return this.output.replaceAll(/\u001b(?:\[[0-9;?<>=]*[A-Za-z]|\][^\u0007]*\u0007|[()][A-Z0-9])/g, '');
  }

  kill(): void {
    try {
      process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
