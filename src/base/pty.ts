import { constants } from 'node:os';
import type { IPty, spawn as Spawn } from '@lydell/node-pty';
import { advise, step } from './text/advice.ts';
import { Deferred } from './deferred.ts';
import { Emitter } from './emitter.ts';
import { errorMessage, ToolError, TransportError } from './errors.ts';
import {
  checkForNul,
  endFamily,
  guardOwned,
  newRunToken,
  runTokenVariable,
  searchPathOf,
  type ProcessExit,
  type ProcessSpec,
} from './processes.ts';

interface PtySpec extends ProcessSpec {
  columns: number;
  rows: number;
}

/**
 * A process on a terminal of its own: the leader of a session, and so of its group. It carries a run token and is ended like every other
 * process that Sightline starts.
 */
export class PtyProcess {
  readonly runToken: string;
  readonly exited: Promise<ProcessExit>;
  /** What it and its children wrote to the terminal. */
  readonly onData = new Emitter<Buffer>();
  readonly #pty: IPty;
  #hasExited = false;

  private constructor(pty: IPty, runToken: string) {
    this.#pty = pty;
    this.runToken = runToken;
    const exited = new Deferred<ProcessExit>();
    this.exited = exited.promise;
    // Without an encoding it hands out bytes, whatever its types say.
    pty.onData((data: unknown) => this.onData.fire(Buffer.isBuffer(data) ? data : Buffer.from(String(data))));
    pty.onExit(({ exitCode, signal }) => {
      this.#hasExited = true;
      exited.resolve(signal === undefined || signal === 0 ? { code: exitCode, signal: null } : ended(signal));
    });
  }

  static async start(spec: PtySpec): Promise<PtyProcess> {
    checkForNul(spec);
    const { spawn } = await nativePty();
    const runToken = newRunToken();
    try {
      const pty = spawn(spec.command, [...spec.args], {
        name: 'xterm-256color',
        cols: spec.columns,
        rows: spec.rows,
        cwd: spec.cwd,
        env: { ...spec.env, ...searchPathOf(spec), [runTokenVariable]: runToken },
        encoding: null,
      });
      guardOwned();
      return new PtyProcess(pty, runToken);
    } catch (error) {
      throw new TransportError(spec.name, `${spec.name} could not be started: ${errorMessage(error)}`, '', error);
    }
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  write(text: string): void {
    if (!this.#hasExited) this.#pty.write(text);
  }

  /** Nothing is read until `resume`: the programs then wait when they write more than the system holds. */
  pause(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
  }

  resize(columns: number, rows: number): void {
    if (!this.#hasExited) this.#pty.resize(columns, rows);
  }

  /** Interactive shells do not listen to SIGTERM; a terminal that goes away says SIGHUP. */
  kill(graceMs = 500): Promise<void> {
    this.#pty.resume();
    return endFamily(this, graceMs, 'SIGHUP');
  }

  dispose(): Promise<void> {
    return this.kill();
  }
}

function ended(signal: number): ProcessExit {
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return { code: null, signal: (name ?? `SIG${signal}`) as NodeJS.Signals };
}

/** Found on first use, so that a platform without it lacks terminals and nothing else. */
async function nativePty(): Promise<{ spawn: typeof Spawn }> {
  try {
    return await import('@lydell/node-pty');
  } catch (error) {
    throw new ToolError('engine_missing', `There are no terminals on this platform: ${errorMessage(error)}`, {
      hint: advise`${step('runCommand')} runs programs without a terminal.`,
    });
  }
}
