import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { advise, parameter, step } from '../../../base/text/advice.ts';
import { withTimeout } from '../../../base/cancellation.ts';
import { Emitter } from '../../../base/emitter.ts';
import { ToolError } from '../../../base/errors.ts';
import { randomId } from '../../../base/ids.ts';
import { platform } from '../../../base/platform/here.ts';
import type { ProcessExit } from '../../../base/processes.ts';
import { childEnvironment } from '../../../base/processes.ts';
import { PtyProcess } from '../../../base/pty.ts';
import type { Project } from '../project.ts';
import { attentionOf, type Attention } from './attention.ts';
import { TerminalCommand } from './command.ts';
import { RawTail } from './rawTail.ts';
import { columns, rows, Screen, type ScreenPosition } from './screen.ts';
import { chooseShell, launchOf, removeScripts, type ShellKind } from './shellLaunch.ts';

export interface TerminalSpec {
  project: Project;
  owner: { id: string; name: string };
  name: string;
  cwd: string;
  /** Where the shell's start-up scripts are put; Sightline's own. */
  folder: string;
}

/** `idle`: the shell waits for a command. */
type TerminalState = 'starting' | 'idle' | 'running' | 'ended';

const startMs = 15_000;
const promptMs = 5000;
const beginMs = 3000;
const interrupt = '\x03';
/** What somebody typed at the prompt and left there is no part of the next command. */
const clearLine = '\x15';
/** A program that takes key by key may be busy all the same when it pauses for less. */
const longQuietMs = 1000;

/** A shell on a terminal of its own: it keeps its folder, variables and programs between commands, and is looked at like a screen. */
export class Terminal {
  readonly id = randomId('term');
  readonly spec: TerminalSpec;
  readonly shell: ShellKind;
  readonly raw = new RawTail();
  /** Output, or another state. */
  readonly onDidChange = new Emitter<void>();
  readonly exited: Promise<ProcessExit>;
  readonly screen: Screen;
  readonly #pty: PtyProcess;
  readonly #nonce: string;
  #state: TerminalState = 'starting';
  /** A command that was typed and has not begun. */
  #expected: { text: string; at: ScreenPosition } | undefined;
  #command: TerminalCommand | undefined;
  #outputAt = Date.now();
  #scripts = 0;
  /** Somebody is about to run a command here. */
  isClaimed = false;

  private constructor(spec: TerminalSpec, shell: ShellKind, pty: PtyProcess, screen: Screen, nonce: string) {
    this.spec = spec;
    this.shell = shell;
    this.#pty = pty;
    this.#nonce = nonce;
    this.screen = screen;
    screen.connect(
      (mark) => this.#onMark(mark),
      (text) => pty.write(text),
    );
    pty.onData.on((bytes) => {
      this.#outputAt = Date.now();
      this.raw.append(bytes);
      const congestion = this.screen.write(bytes);
      this.onDidChange.fire();
      if (congestion === undefined) return;
      pty.pause();
      void congestion.then(() => pty.resume());
    });
    this.exited = pty.exited.then(async (exit) => {
      await this.screen.settled();
      // What ends the shell may have done so before the shell's word that it began was read.
      if (this.#expected !== undefined) this.#begin(this.#expected.at);
      this.#command?.end(undefined);
      this.#become('ended');
      return exit;
    });
  }

  static async start(spec: TerminalSpec): Promise<Terminal> {
    const env = childEnvironment(spec.project.env);
    const nonce = randomId('n');
    const shell = chooseShell(env);
    const screen = await Screen.create();
    const launch = await launchOf(shell, spec.folder, nonce, env);
    const { command, args } = launch;
    const name = `terminal ${spec.name}`;
    const pty = await PtyProcess.start({
      name,
      command,
      args,
      cwd: spec.cwd,
      env: { ...env, TERM: 'xterm-256color', ...launch.env },
      columns,
      rows,
    });
    return new Terminal(spec, shell.kind, pty, screen, nonce);
  }

  get state(): TerminalState {
    return this.#state;
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** The one that runs, or the last one. */
  get command(): TerminalCommand | undefined {
    return this.#command;
  }

  /** How long nothing was written or typed. */
  get quietForMs(): number {
    return Date.now() - this.#outputAt;
  }

  /** The folder the shell is in, where the system tells. */
  get cwd(): string | undefined {
    return platform.processes.folder(this.pid);
  }

  /** Types a command and presses Enter, once the shell is ready for it. */
  async run(text: string): Promise<TerminalCommand> {
    const line = text.includes('\n') ? await this.#script(text) : text;
    if (this.#state === 'starting') await this.#until('idle', startMs);
    else if (this.#state === 'running' && this.#command?.hasEnded === true) await this.#until('idle', promptMs);
    if (this.#state !== 'idle') throw notReady(this);
    const typed = new Promise<TerminalCommand>((resolve) => {
      const subscription = this.onDidChange.on(() => {
        if (this.#command === before) return;
        void subscription.dispose();
        if (this.#command !== undefined) resolve(this.#command);
      });
    });
    const before = this.#command;
    this.#expected = { text, at: this.screen.here() };
    this.#become('running');
    this.#pty.write(`${clearLine}${this.screen.takesPastes ? `\x1b[200~${line}\x1b[201~` : line}\r`);
    return withTimeout(typed, beginMs, () => {
      const screen = this.screen.last(10);
      this.#expected?.at.dispose();
      this.#expected = undefined;
      this.#pty.write(interrupt);
      return new ToolError(
        'command_failed',
        'The shell did not begin the command, as if it were not complete; it was taken back.',
        {
          hint: `The terminal showed:\n${screen}`,
        },
      );
    });
  }

  /** What the program in front waits for, as far as the system tells. */
  async attention(): Promise<Attention> {
    if (this.#state !== 'running') return undefined;
    await this.screen.settled();
    const { cursorLine, isFullScreen } = this.screen;
    const isLongQuiet = this.quietForMs >= longQuietMs;
    return attentionOf({ shellPid: this.pid, cursorLine, isFullScreen, isLongQuiet, env: this.spec.project.env });
  }

  type(text: string): void {
    if (this.#state === 'ended') throw notReady(this);
    this.#outputAt = Date.now();
    this.#pty.write(text);
  }

  resize(wantedColumns: number, wantedRows: number): void {
    this.#pty.resize(wantedColumns, wantedRows);
    this.screen.resize(wantedColumns, wantedRows);
  }

  /** Ends the shell with everything that was started in it. */
  async kill(): Promise<void> {
    await this.#pty.kill();
    await this.exited;
  }

  async dispose(): Promise<void> {
    await this.kill();
    this.screen.dispose();
  }

  #onMark(mark: string): void {
    const [kind, ...rest] = mark.split(';');
    // Only our own scripts know it; whatever else prints such a mark is not believed.
    if (rest.at(-1) !== this.#nonce) return;
    if (kind === 'C') {
      this.#command?.end(undefined);
      this.#begin();
    } else if (kind === 'D') {
      // A command that the shell could not even read ends without having begun.
      if (this.#expected !== undefined) this.#begin(this.#expected.at);
      const code = Number(rest[0]);
      this.#command?.end(Number.isInteger(code) ? code : undefined);
      this.onDidChange.fire();
    } else if (kind === 'B') {
      if (this.#state === 'starting') void removeScripts(this.spec.folder);
      this.#become('idle');
    }
  }

  #begin(typedAt?: ScreenPosition): void {
    this.#command = new TerminalCommand(this.screen, this.#expected?.text, typedAt);
    if (typedAt === undefined) this.#expected?.at.dispose();
    this.#expected = undefined;
    this.#become('running');
  }

  #become(state: TerminalState): void {
    if (this.#state === 'ended') return;
    this.#state = state;
    this.onDidChange.fire();
  }

  async #until(state: TerminalState, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (this.#state !== state && this.#state !== 'ended' && Date.now() < deadline)
      await this.changeWithin(deadline - Date.now());
  }

  /** Waits for output or another state, at most so long. */
  changeWithin(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        void subscription.dispose();
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      const subscription = this.onDidChange.on(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** Several lines are one command only when the shell reads them from a file. */
  async #script(text: string): Promise<string> {
    this.#scripts++;
    const path = join(this.spec.folder, `command-${this.#scripts}`);
    await writeFile(path, text, { mode: 0o600 });
    return ` . '${path.replaceAll("'", String.raw`'\''`)}'`;
  }
}

function notReady(terminal: Terminal): ToolError {
  const { id, state, command } = terminal;
  if (state === 'ended')
    return new ToolError('terminal_not_found', `The shell of ${id} has ended.`, {
      hint: advise`${step('runInTerminal')} without ${parameter('terminalId')} opens another.`,
    });
  const what = command?.text === undefined || command.hasEnded ? '' : ` with "${command.text.slice(0, 80)}"`;
  return new ToolError('command_failed', `${id} is ${state === 'starting' ? 'still starting' : `busy${what}`}.`, {
    hint: advise`${step('readTerminalOutput', { terminalId: id, waitMs: 20000 })} waits for its end; ${step('runInTerminal', { name: '...' })} takes another terminal.`,
  });
}
