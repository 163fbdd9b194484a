import { constants } from 'node:os';
import { withTimeout } from '../../../../base/cancellation.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { errorMessage, ToolError, TransportError } from '../../../../base/errors.ts';
import { childEnvironment, ManagedProcess, type ProcessExit } from '../../../../base/processes.ts';
import { DapConnection, type DapStreams } from '../../../../protocol/dap/connection.ts';
import { connectTcp } from '../../../../protocol/dap/transports.ts';
import type { AdapterFall, AttachSpec, ExitInfo, LaunchSpec, ProcessNode } from '../../model.ts';
import type { AdapterStart, DapAdapter } from './dapAdapter.ts';
import type { BackendHost, DapBackend } from './debuggee.ts';
import { StandardDebuggee, type StandardStart } from './standardDebuggee.ts';
import { fromCapabilities } from './standardModel.ts';

const exitSeenMs = 1000;

/** Runs one debug adapter and the program behind it. The adapter's process group, and with it the program, ends with us. */
export class AdapterBackend implements DapBackend {
  /** The adapter announces its own when it is there. */
  readonly capabilities = fromCapabilities({});
  readonly #adapter: DapAdapter;
  #process: ManagedProcess | undefined;
  readonly #terminals: ManagedProcess[] = [];
  #connection: DapConnection | undefined;
  #exit: ExitInfo = {};
  #isEnding = false;
  /** Set when the adapter has ended without having been asked to. */
  #fall: AdapterFall | undefined;

  constructor(adapter: DapAdapter) {
    this.#adapter = adapter;
  }

  launch(spec: LaunchSpec, host: BackendHost, signal?: AbortSignal): Promise<void> {
    const start = async (): Promise<StandardStart> => ({
      command: this.#adapter.launchRequest ?? 'launch',
      arguments: await this.#adapter.launchArguments(spec),
      passesEntry: this.#adapter.quirks?.stopsAtEntry === true && !spec.stopOnEntry,
      failures: this.#adapter.failureFunctions?.(spec) ?? [],
      isCore: spec.core !== undefined,
    });
    return this.#begin(spec, start, host, 'launch_failed', signal);
  }

  attach(spec: AttachSpec, host: BackendHost, signal?: AbortSignal): Promise<void> {
    const start = async (): Promise<StandardStart> => ({
      command: 'attach',
      arguments: await this.#adapter.attachArguments(spec),
      failures: this.#adapter.failureFunctions?.(spec) ?? [],
    });
    return this.#begin(spec, start, host, 'attach_failed', signal);
  }

  /** A program that the adapter starts as its own child reads what the adapter is given; so does one in a terminal of ours. */
  async writeInput(text: string): Promise<void> {
    if (this.#adapter.quirks?.hasOurCode === true && this.#connection?.isClosed === false) {
      await this.#connection.request('sightlineInput', { text });
      return;
    }
    const reader =
      this.#terminals.at(-1) ?? (this.#adapter.quirks?.programReadsInput === true ? this.#process : undefined);
    if (reader === undefined || reader.hasExited)
      throw new ToolError('unsupported', `${this.#adapter.name} gives its program no input.`);
    await new Promise<void>((resolve, reject) => {
      reader.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  async drainOutput(): Promise<void> {
    // Output comes by the same connection as the stop, before it.
  }

  async terminate(): Promise<void> {
    this.#isEnding = true;
    const connection = this.#connection;
    if (connection !== undefined && !connection.isClosed) {
      // An adapter that is asked can end what it started elsewhere; one that does not answer is killed all the same.
      await connection.request('disconnect', { terminateDebuggee: true }, { timeoutMs: 1000 }).catch(() => undefined);
      connection.dispose();
    }
    await Promise.all(
      [...this.#terminals, ...(this.#process === undefined ? [] : [this.#process])].map((each) => each.kill()),
    );
  }

  async detach(): Promise<void> {
    this.#isEnding = true;
    await this.#process?.kill();
  }

  dispose(): Promise<void> {
    return this.terminate();
  }

  async #begin(
    spec: LaunchSpec | AttachSpec,
    starting: () => Promise<StandardStart>,
    host: BackendHost,
    code: 'launch_failed' | 'attach_failed',
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      const start = await starting();
      const streams = await this.#open(await this.#adapter.start(spec, host), spec.cwd, host);
      const connection = new DapConnection(streams, {
        peer: this.#adapter.name,
        logger: host.logger,
        logTail: () => this.#process?.stderrTail ?? '',
      });
      this.#connection = connection;
      connection.onReverseRequest((command, args) => this.#answer(command, args, host));
      connection.events.on((event) => {
        if (event.event === 'exited') this.#exit = exitOf(event.body);
      });
      const process: ProcessNode = { id: 'p1', kind: 'process', title: spec.name };
      const debuggee = new StandardDebuggee(connection, process, this.#adapter, start, host.logger);
      void connection.closed.then(async (reason) => host.rootExited(await this.#endOf(reason)));
      signal?.addEventListener('abort', () => connection.dispose(), { once: true });
      await host.adopt(debuggee);
    } catch (error) {
      if (error instanceof TransportError) await this.#exitSeen();
      await this.dispose();
      throw this.#failure(error, code);
    }
  }

  async #open(start: AdapterStart, cwd: string, host: BackendHost): Promise<DapStreams> {
    if (start.kind === 'tcp') return connectTcp(start.host, start.port);
    const adapter = await ManagedProcess.start({
      name: this.#adapter.name,
      command: start.command,
      args: start.args,
      cwd,
      env: childEnvironment(host.project.env, start.env),
    });
    this.#process = adapter;
    void adapter.exited.then((exit) => this.#onExit(exit, adapter, host));
    if (this.#adapter.quirks?.sharesOutput === true)
      for (const category of ['stdout', 'stderr'] as const)
        adapter[category].on('data', (chunk: Buffer) => host.output({ category, text: chunk.toString('utf8') }));
    // An adapter whose words nobody reads stands still when the pipe is full.
    adapter.stderr.resume();
    if (start.kind === 'listens') adapter.stdout.resume();
    if (start.kind === 'stdio') return { readable: adapter.stdout, writable: adapter.stdin };
    return connectTcp('127.0.0.1', await portOf(adapter, start.portPattern));
  }

  #onExit({ code, signal }: ProcessExit, { stderrTail }: ManagedProcess, host: BackendHost): void {
    const isOver = this.#isEnding || this.#connection?.isLetGo === true || Object.keys(this.#exit).length > 0;
    // Where the adapter's output is the program's, so is its end.
    if (isOver || (code === 0 && signal === null) || this.#adapter.quirks?.sharesOutput === true) return;
    this.#fall = { adapter: this.#adapter.name, how: signal ?? `exit code ${code}`, lastWords: stderrTail };
    host.adapterFell(this.#fall);
  }

  /** A pipe may break a moment before the end of its process is known. */
  async #exitSeen(): Promise<void> {
    if (this.#process === undefined || this.#connection?.isLetGo === true) return;
    await withTimeout(this.#process.exited, exitSeenMs).catch(() => undefined);
  }

  async #endOf(reason: TransportError): Promise<ExitInfo> {
    if (Object.keys(this.#exit).length > 0) return this.#exit;
    await this.#exitSeen();
    if (this.#fall === undefined) return { reason: reason.message };
    // Nobody can stop the program any more, so it may not run on by itself.
    await this.terminate();
    return { reason: `${this.#fall.adapter}, which debugged it, ended by itself (${this.#fall.how})` };
  }

  /** The adapter asks us to start the program, so that it has a terminal of its own. */
  async #answer(command: string, args: unknown, host: BackendHost): Promise<object | undefined> {
    if (command !== 'runInTerminal') throw new Error(`'${command}' is not supported.`);
    const { args: commandLine, cwd, env } = args as { args: string[]; cwd: string; env?: Record<string, string> };
    const program = await ManagedProcess.start({
      name: 'program',
      command: commandLine[0] ?? '',
      args: commandLine.slice(1),
      cwd: cwd === '' ? host.project.root : cwd,
      env: childEnvironment(host.project.env, env),
    });
    this.#terminals.push(program);
    for (const category of ['stdout', 'stderr'] as const)
      program[category].on('data', (chunk: Buffer) => host.output({ category, text: chunk.toString('utf8') }));
    return { processId: program.pid };
  }

  #failure(error: unknown, code: 'launch_failed' | 'attach_failed'): ToolError {
    if (error instanceof ToolError) return error;
    const tail = error instanceof TransportError ? error.logTail.trim() : '';
    const more = tail === '' ? '' : `\n${tail.slice(-1500)}`;
    return new ToolError(code, `${this.#adapter.name}: ${errorMessage(error)}${more}`, { cause: error });
  }
}

/** The protocol has no word for a program that a signal ended; code of ours tells its number. */
function exitOf(body: unknown): ExitInfo {
  const { exitCode = 0, signalNumber } = body as { exitCode?: number; signalNumber?: number };
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === signalNumber) ?? [];
  return signal === undefined ? { code: exitCode } : { signal };
}

async function portOf(adapter: ManagedProcess, pattern: RegExp): Promise<number> {
  const found = new Deferred<number>();
  let text = '';
  for (const stream of [adapter.stdout, adapter.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-8000);
      const port = pattern.exec(text)?.[1];
      if (port !== undefined) found.resolve(Number(port));
    });
  }
  void adapter.exited.then(({ code }) =>
    found.reject(new TransportError(adapter.name, `${adapter.name} ended (code ${code}) before it listened.`, text)),
  );
  return withTimeout(
    found.promise,
    15_000,
    () => new TransportError(adapter.name, `${adapter.name} did not say where it listens.`, text),
  );
}
