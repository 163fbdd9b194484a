import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cancellationReason } from '../../../base/cancellation.ts';
import { BugError, errorMessage, ToolError } from '../../../base/errors.ts';
import { testNotRun } from '../testNotRun.ts';
import { scratchFolder } from '../../../base/scratchFolders.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';
import type { Project } from '../../workspace/project.ts';
import type { LaunchSpec } from '../model.ts';
import type { AdapterDescription } from '../target.ts';
import type { RecorderOrders } from './model.ts';
import type { RecordedCommand } from './recorder.ts';
import { readRecording, type Recording } from './recording.ts';

export interface RecordedRun {
  name: string;
  language: string;
  startedAt: number;
  recording: Recording;
  /** The end of what it printed, both streams as they came. */
  output: string;
  /** Undefined when it was ended because the wait was over. */
  exit: { code: number | undefined; signal: string | undefined } | undefined;
  elapsedMs: number;
  isTest: boolean;
}

export interface RunLimits {
  waitMs: number;
  signal: AbortSignal;
}

const maxOutputChars = 200_000;
/** A runner that has printed its result may take this long to end. */
const finishMs = 2000;

/** Runs a program once with a recorder inside. Nothing of it is left afterwards: no process, no file. */
export async function recordRun(
  project: Project,
  adapter: AdapterDescription,
  spec: LaunchSpec,
  wishes: Omit<RecorderOrders, 'version' | 'folder' | 'root'>,
  limits: RunLimits,
  /** What its paths are told of, when it runs in a copy. */
  shownRoot = project.root,
): Promise<RecordedRun> {
  const { recorder } = adapter;
  if (recorder === undefined) throw new BugError(`Programs in ${adapter.language} cannot be recorded.`);
  const folder = await scratchFolder('record');
  try {
    const orders: RecorderOrders = { version: 1, folder, root: project.root, ...wishes };
    const ordersFile = join(folder, 'orders.json');
    await writeFile(ordersFile, JSON.stringify(orders), { mode: 0o600 });
    const command = await recorder.command(spec, { project, orders, ordersFile });
    const startedAt = Date.now();
    const ran = await runWatched(() => new Run(spec, adapter, limits).run(project, command), command);
    const elapsedMs = Date.now() - startedAt;
    const recording = readRecording(await eventTexts(folder, project.root, shownRoot));
    return {
      ...ran,
      name: spec.name,
      language: adapter.language,
      startedAt,
      recording,
      elapsedMs,
      isTest: spec.isTest === true,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWatched<Result>(run: () => Promise<Result>, { end }: RecordedCommand): Promise<Result> {
  try {
    return await run();
  } finally {
    await end?.();
  }
}

class Run {
  readonly #spec: LaunchSpec;
  readonly #adapter: AdapterDescription;
  readonly #limits: RunLimits;
  #output = '';

  constructor(spec: LaunchSpec, adapter: AdapterDescription, limits: RunLimits) {
    this.#spec = spec;
    this.#adapter = adapter;
    this.#limits = limits;
  }

  async run(project: Project, command: RecordedCommand): Promise<Pick<RecordedRun, 'output' | 'exit'>> {
    const { signal } = this.#limits;
    const child = await this.#start(project, command);
    const closed = Promise.all([read(child.stdout, this.#keep), read(child.stderr, this.#keep)]);
    child.stdin.end();
    try {
      const exit = await this.#ended(child);
      // What it started may hold its pipes open; what it printed itself is there at once.
      if (exit !== undefined) await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200))]);
      if (signal.aborted) throw cancellationReason(signal);
      this.#requireTest(exit !== undefined);
      const output = stripVTControlCharacters(this.#output);
      const { recorder } = this.#adapter;
      return {
        output: recorder?.cleanOutput?.(output) ?? output,
        exit: exit === undefined ? undefined : { code: exit.code ?? undefined, signal: exit.signal ?? undefined },
      };
    } finally {
      await child.kill();
    }
  }

  readonly #keep = (chunk: string): void => {
    this.#output = (this.#output + chunk).slice(-maxOutputChars);
  };

  async #start(project: Project, { command, args, env }: RecordedCommand): Promise<ManagedProcess> {
    const { cwd, name } = this.#spec;
    const environment = childEnvironment(project.env, { ...this.#spec.env, ...env });
    try {
      return await ManagedProcess.start({ command, args, cwd, env: environment, name });
    } catch (error) {
      throw new ToolError('launch_failed', errorMessage(error), { hint: 'Check the program and cwd.', cause: error });
    }
  }

  /** Waits for the end, the end of the wait, or the moment the tests are over though the process stays. */
  async #ended(child: ManagedProcess): Promise<{ code: number | null; signal: string | null } | undefined> {
    const { signal, waitMs } = this.#limits;
    return new Promise((resolve) => {
      let overSince: number | undefined;
      const startedAt = Date.now();
      const stop = () => done(undefined);
      const poll = setInterval(() => {
        if (this.#adapter.testsAreOver?.(this.#spec, stripVTControlCharacters(this.#output)) === true)
          overSince ??= Date.now();
        if (Date.now() - startedAt >= waitMs || (overSince !== undefined && Date.now() - overSince >= finishMs)) stop();
      }, 100);
      const done = (exit: { code: number | null; signal: string | null } | undefined) => {
        clearInterval(poll);
        signal.removeEventListener('abort', stop);
        resolve(exit);
      };
      signal.addEventListener('abort', stop, { once: true });
      void untilExit(child, done);
    });
  }

  #requireTest(hasEnded: boolean): void {
    const nearest = hasEnded ? this.#adapter.missingTest?.(this.#spec, this.#output) : undefined;
    if (nearest === undefined) return;
    throw testNotRun(this.#spec.test ?? {}, nearest);
  }
}

async function read(stream: NodeJS.ReadableStream, keep: (chunk: string) => void): Promise<void> {
  try {
    stream.setEncoding('utf8');
    for await (const chunk of stream) keep(String(chunk));
  } catch {
    // A process that was killed may leave its pipes broken.
  }
}

async function eventTexts(folder: string, root: string, shownRoot: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('events-')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return root === shownRoot ? texts : texts.map((text) => text.replaceAll(root, shownRoot));
}

async function untilExit(
  child: ManagedProcess,
  done: (exit: Awaited<ManagedProcess['exited']>) => void,
): Promise<void> {
  done(await child.exited);
}
