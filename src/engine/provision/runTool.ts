import { homedir } from 'node:os';
import { cancellationReason, throwIfCancelled } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { TransportError } from '../../base/errors.ts';
import { ManagedProcess, childEnvironment } from '../../base/processes.ts';
import type { ToolRun, ToolRunOptions, ToolRunResult } from './model.ts';

const keptChars = 64 * 1024;
const defaultTimeoutMs = 15_000;
/** How long a pipe may stay open after the program ended, held by something it left behind. */
const drainMs = 300;

/** Makes a `ToolRun` whose programs see `env`; `runToken` marks all they start so that leftovers can be found. */
export function toolRunner(env: NodeJS.ProcessEnv, runToken?: string): ToolRun {
  return (command, options = {}) => runTool(command, env, runToken, options);
}

async function runTool(
  command: readonly string[],
  baseEnv: NodeJS.ProcessEnv,
  runToken: string | undefined,
  options: ToolRunOptions,
): Promise<ToolRunResult> {
  throwIfCancelled(options.signal);
  const [program = '', ...args] = command;
  let child: ManagedProcess;
  try {
    child = await ManagedProcess.start({
      command: program,
      args,
      cwd: options.cwd ?? homedir(),
      env: {
        ...childEnvironment(baseEnv, options.env),
        ...(runToken === undefined ? {} : { SIGHTLINE_RUN: runToken }),
      },
      name: program,
    });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return { code: 127, signal: null, timedOut: false, seen: false, stdout: '', stderr: error.message };
  }

  const stdout = new BoundedText(options.onLine);
  const stderr = new BoundedText(options.onLine);
  let seen = false;
  const ended = new Deferred<'exit' | 'seen' | 'timeout' | 'cancelled'>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout.add(chunk.toString('utf8'));
    if (options.until?.test(stdout.text)) ended.resolve('seen');
  });
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk.toString('utf8')));
  const drained = Promise.all([child.stdout, child.stderr].map((s) => new Promise((done) => s.once('close', done))));
  if (options.input !== undefined) child.stdin.write(options.input);
  if (!options.keepStdinOpen) child.stdin.end();

  const timer = setTimeout(() => ended.resolve('timeout'), options.timeoutMs ?? defaultTimeoutMs);
  const onAbort = () => ended.resolve('cancelled');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const exit = child.exited.then((result) => {
    ended.resolve('exit');
    return result;
  });
  try {
    const why = await ended.promise;
    seen = why === 'seen' || (options.until?.test(stdout.text) ?? false);
    if (why !== 'exit') await child.kill();
    if (why === 'cancelled' && options.signal !== undefined) throw cancellationReason(options.signal);
    const { code, signal } = await exit;
    await Promise.race([drained, new Promise((done) => setTimeout(done, drainMs).unref())]);
    stdout.flush();
    stderr.flush();
    return { code, signal, timedOut: why === 'timeout', seen, stdout: stdout.text, stderr: stderr.text };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

/** Keeps the end of a stream and hands out its lines as they come. */
class BoundedText {
  text = '';
  #partial = '';
  readonly #onLine: ((line: string) => void) | undefined;

  constructor(onLine: ((line: string) => void) | undefined) {
    this.#onLine = onLine;
  }

  add(chunk: string): void {
    this.text = (this.text + chunk).slice(-keptChars);
    if (this.#onLine === undefined) return;
    const lines = (this.#partial + chunk).split(/\r?\n|\r/);
    this.#partial = (lines.pop() ?? '').slice(-keptChars);
    for (const line of lines) if (line.trim() !== '') this.#onLine(line);
  }

  flush(): void {
    if (this.#partial.trim() !== '') this.#onLine?.(this.#partial);
    this.#partial = '';
  }
}
