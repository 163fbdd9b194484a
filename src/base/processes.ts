import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { Deferred } from './deferred.ts';
import { platform } from './platform/here.ts';
import type { Helper } from './platform/platform.ts';
import { randomId } from './ids.ts';
import { ToolError, TransportError, errorMessage } from './errors.ts';
import { absolutePath } from './searchPath.ts';
import {
  descendantsOf,
  identityOf,
  isAlive,
  isSameProcess,
  livingIn,
  ownIdentity,
  pidNamespace,
  type ProcessIdentity,
} from './processIdentity.ts';

/**
 * The one place that starts processes, with `pty.ts` for those that need a terminal. Arguments are arrays. Each child leads its own process group and carries a run token
 * in its environment, so that what it starts can be found and ended even after it daemonised.
 */
export interface ProcessSpec {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the child: built by `childEnvironment`, never inherited by accident. */
  env: NodeJS.ProcessEnv;
  /** What to call it in messages. */
  name: string;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const runTokenVariable = 'SIGHTLINE_RUN';

/** Variables that would change what a child runs, or give it our authority. A launch configuration may set them itself. */
const strippedVariables =
  /^(SIGHTLINE_TOKEN|SIGHTLINE_RUN|NODE_OPTIONS|NODE_CHANNEL_FD|NODE_V8_COVERAGE|LD_PRELOAD|LD_AUDIT|DYLD_.*|GIT_.*)$/;

export function childEnvironment(base: NodeJS.ProcessEnv, additions: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(base)) {
    if (!strippedVariables.test(name)) env[name] = value;
  }
  return { ...env, ...additions };
}

const logTailChars = 4000;

export class ManagedProcess {
  readonly name: string;
  readonly runToken: string;
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  #stderrTail = '';

  private constructor(spec: ProcessSpec, child: ChildProcess, runToken: string) {
    this.name = spec.name;
    this.runToken = runToken;
    this.#child = child;
    const exited = new Deferred<ProcessExit>();
    this.exited = exited.promise;
    child.once('exit', (code, signal) => exited.resolve({ code, signal }));
    // Writing to a child that has just died is answered by its exit, not by a crash of ours.
    child.stdin?.on('error', () => undefined);
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderrTail = (this.#stderrTail + chunk.toString('utf8')).slice(-logTailChars);
    });
  }

  /** Resolves once the process really runs; a missing program or directory is an error here, not an event later. */
  static async start(spec: ProcessSpec): Promise<ManagedProcess> {
    const runToken = spec.env[runTokenVariable] ?? newRunToken();
    checkForNul(spec);
    const failed = (cause: unknown) =>
      new TransportError(
        spec.name,
        `${spec.name} could not be started (${spec.command}): ${errorMessage(cause)}`,
        '',
        cause,
      );
    let child: ChildProcess;
    try {
      child = startOwned(spec, runToken);
    } catch (error) {
      // Node tells of some failures by an event and throws others: too long arguments, a working directory that is a file.
      throw failed(error);
    }
    const managed = new ManagedProcess(spec, child, runToken);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(failed(error)));
    });
    child.on('error', () => undefined);
    return managed;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stdin(): Writable {
    return must(this.#child.stdin);
  }

  get stdout(): Readable {
    return must(this.#child.stdout);
  }

  get stderr(): Readable {
    return must(this.#child.stderr);
  }

  /** The last of what it wrote to stderr: the usual place where the cause of a failure stands. */
  get stderrTail(): string {
    return this.#stderrTail;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends the process and everything it started. */
  kill(graceMs = 500): Promise<void> {
    return endFamily(this, graceMs);
  }

  dispose(): Promise<void> {
    return this.kill();
  }
}

/**
 * Ends a process, its group, its descendants and everything that carries its run token; first politely, then not. A child that
 * has left the group and lost its environment is found as long as its parent lives, so the family is noted before anything ends.
 */
export async function endFamily(
  leader: { readonly pid: number; readonly runToken: string; readonly hasExited: boolean },
  graceMs: number,
  politely: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  const family = new Map<number, ProcessIdentity>();
  const pids = () => {
    const table = platform.processes.all(runTokenVariable);
    const roots = leader.hasExited ? [] : [leader.pid];
    const known = livingIn(table, family.values()).map(({ pid }) => pid);
    const born = descendantsOf([...roots, ...known], table);
    for (const each of born) family.set(each.pid, each);
    const living = [...known, ...born.map(({ pid }) => pid)];
    return [...new Set([...roots, ...living, ...processesWithToken(leader.runToken, table)])];
  };
  const first = pids();
  signalTree(leader.pid, politely);
  signalAll(first, politely);
  const deadline = Date.now() + graceMs;
  while (pids().length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  // Children born while we looked are caught by looking again until a look finds none.
  for (let round = 0; round < 50 && pids().length > 0; round++) {
    signalTree(leader.pid, 'SIGKILL');
    signalAll(pids(), 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** No program can be given such a text; it always comes from the arguments of a call. */
export function checkForNul(spec: ProcessSpec): void {
  const texts = [spec.command, spec.cwd, ...spec.args, ...Object.keys(spec.env), ...Object.values(spec.env)];
  if (texts.some((text) => text?.includes('\0')))
    throw new ToolError('invalid_arguments', `A NUL character cannot be passed to a program (${spec.name}).`);
}

function startOwned(spec: ProcessSpec, runToken: string): ChildProcess {
  const child = spawn(spec.command, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env, ...searchPathOf(spec), [runTokenVariable]: runToken },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: platform.children.leadGroups,
    windowsHide: true,
  });
  guardOwned();
  return child;
}

/** Whoever set it: with a relative entry the folder a program runs in would decide what it starts. */
export function searchPathOf({ env }: ProcessSpec): NodeJS.ProcessEnv {
  return env['PATH'] === undefined ? {} : { PATH: absolutePath(env['PATH']) };
}

/** Started by a shell that leaves at once: the process then has the system's first one as its parent, and a session of its own. */
const startAndLeave = '"$@" </dev/null >/dev/null & echo $!';

/**
 * Starts a process that is nobody's: it survives us and whoever ends all our descendants, has no pipe to us and no run token. Only for
 * the shared process. Resolves when its starter has gone.
 */
export async function startIndependent(spec: ProcessSpec, stderrFile: string): Promise<ProcessIdentity> {
  checkForNul(spec);
  const stderr = openSync(stderrFile, 'a', 0o600);
  try {
    const isDirect = !platform.children.leaveByShell;
    const child = spawn(
      isDirect ? spec.command : '/bin/sh',
      isDirect ? [...spec.args] : ['-c', startAndLeave, 'sh', spec.command, ...spec.args],
      {
        cwd: spec.cwd,
        env: spec.env,
        stdio: ['ignore', isDirect ? 'ignore' : 'pipe', stderr],
        detached: true,
        windowsHide: true,
      },
    );
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
    await new Promise<void>((resolve, reject) => {
      child.once(isDirect ? 'spawn' : 'close', () => resolve());
      child.once('error', reject);
    });
    child.unref();
    const pid = isDirect ? child.pid : Number.parseInt(said, 10);
    if (pid === undefined || Number.isNaN(pid)) throw new Error('nothing was started');
    return identityOf(pid);
  } catch (error) {
    throw new TransportError(spec.name, `${spec.name} could not be started: ${errorMessage(error)}`, '', error);
  } finally {
    closeSync(stderr);
  }
}

/** An end that hangs, in our code, in an engine's or in the runtime's own exit, is cut short from outside. */
export function endWithin(ms: number): void {
  startHelper(platform.children.endUsAfter(ms / 1000));
}

let isGuarded = false;

/**
 * What this process has started ends with it even when it is killed, and not only at the next start: engines over a socket, virtual
 * machines and servers that look for their parent every so often would outlive it. Called by whoever starts a process.
 */
export function guardOwned(): void {
  // A thread that ends is not the end of what it started.
  if (isGuarded || !isMainThread) return;
  isGuarded = true;
  startHelper(platform.children.guard(runTokenVariable, `${ownTokens()}_`));
}

/** A shell that hears of our end by the end of its input; it keeps nothing of ours alive, and carries no token itself. */
function startHelper(wanted: Helper | undefined): void {
  if (wanted === undefined) return;
  try {
    const helper = spawn('/bin/sh', ['-c', wanted.script, 'sh', wanted.argument], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    helper.on('error', () => undefined);
    helper.stdin?.on('error', () => undefined);
    helper.unref();
    // The pipe must neither keep this process nor be closed before its end.
    if (helper.stdin !== null && 'unref' in helper.stdin && typeof helper.stdin.unref === 'function')
      helper.stdin.unref();
  } catch {
    // Without a helper the process ends as it can, and the next start clears what it left.
  }
}

/** The end that nothing can hold up: no exit handlers, no joining of threads. For when everything has been cleaned up. */
export function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Names the process that owns what it marks, so that a later Sightline can tell what a killed one has left behind. */
export function newRunToken(): string {
  return randomId(ownTokens());
}

/** How all of this process's tokens begin. */
function ownTokens(): string {
  const owner = ownIdentity();
  return `run-${pidNamespace()}-${owner.pid}-${owner.start}`;
}

/** Ends what Sightline processes that were killed could not end themselves, where the system shows run tokens. */
export function reapOrphans(): number[] {
  const orphans = runTokens()
    .filter(({ owner }) => !isAlive(owner))
    .map(({ pid }) => pid);
  signalAll(orphans, 'SIGKILL');
  return orphans;
}

/** The last thing a process does: whatever it started and is still there ends now, without asking. */
export function endOwned(): void {
  const self = ownIdentity();
  const owned = () =>
    runTokens()
      .filter(({ owner }) => isSameProcess(owner, self))
      .map(({ pid }) => pid);
  // Children born while we looked are caught by looking again; the dead need a moment to be seen as such.
  for (let round = 0, left = owned(); left.length > 0 && round < 20; round++, left = owned())
    signalAll(left, 'SIGKILL');
}

/** The processes of this pid namespace that some Sightline process started, and which one it was. */
function runTokens(): { pid: number; owner: ProcessIdentity }[] {
  const namespace = pidNamespace();
  return platform.processes.all(runTokenVariable).flatMap(({ pid, mark = '', state }) => {
    const match = /^run-(\d+)-(\d+)-(s?\d+)_/.exec(mark);
    if (match === null || match[1] !== namespace || pid === process.pid || state === 'zombie') return [];
    return [{ pid, owner: { pid: Number(match[2]), start: match[3] ?? '' } }];
  });
}

/** Every living process whose environment carries this run token. Where the system does not show it, the process group is all we have. */
export function processesWithToken(runToken: string, table = platform.processes.all(runTokenVariable)): number[] {
  return table
    .filter(({ pid, mark, state }) => pid !== process.pid && mark === runToken && state !== 'zombie')
    .map(({ pid }) => pid);
}

function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (pid > 1) platform.children.signalTree(pid, signal);
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    // To the system these mean our own group, every process there is, and its first one.
    if (pid === 0 || pid === -1 || pid === 1) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // Already gone.
    }
  }
}

function must<T>(value: T | null): T {
  if (value === null) throw new TransportError('process', 'The process was started without this pipe.');
  return value;
}
