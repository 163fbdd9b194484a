import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { assetPath } from '../../../../base/assets.ts';
import { untilCancelled, withTimeout } from '../../../../base/cancellation.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { errorMessage, ToolError, TransportError } from '../../../../base/errors.ts';
import { randomToken } from '../../../../base/ids.ts';
import { childEnvironment, ManagedProcess, type ProcessExit } from '../../../../base/processes.ts';
import { scratchFolder } from '../../../../base/scratchFolders.ts';
import { DapConnection, type DapStreams } from '../../../../protocol/dap/connection.ts';
import { connectTcp, DapListener } from '../../../../protocol/dap/transports.ts';
import type { AttachSpec, ExitInfo, LaunchSpec, ProcessNode } from '../../model.ts';
import type { BackendHost, DapBackend } from '../../targets/dap/debuggee.ts';
import { joinAdapter } from './adapterSession.ts';
import { injectInto } from './injection.ts';
import { attachByPid } from './attachByPid.ts';
import { pydevdCapabilities, PydevdDebuggee, type PydevdStart } from './pydevdDebuggee.ts';
import { whatToRun } from './whatToRun.ts';
import type { WireHello } from './wire.ts';

export interface PythonTools {
  /** The interpreter, absolute. */
  python: string;
  /** The folder that holds the package `debugpy`. */
  debugpyFolder: string;
  /** The folder of the gdb in our cache, where there is one. */
  folderOfGdb: () => Promise<string | undefined>;
}

/** What debugpy's adapter says of a child process: where to attach, and with which settings. */
interface AdapterChild {
  connect: { host: string; port: number };
  subProcessId: number;
}

const connectTimeoutMs = 20_000;

/** Starts Python programs under pydevd, or reaches running ones, and takes in every process they start. */
export class PythonBackend implements DapBackend {
  readonly capabilities = pydevdCapabilities;
  readonly #findTools: (spec: LaunchSpec | AttachSpec) => Promise<PythonTools>;
  readonly #token = randomToken();
  /** Process ids of the tree, by system pid, so that a child finds its parent. */
  readonly #idsByPid = new Map<number, string>();
  #listener: DapListener | undefined;
  #process: ManagedProcess | undefined;
  /** Settles when the program's end and its last words have been passed on. */
  #exitTold: Promise<void> | undefined;
  #scratch: string | undefined;
  #nextId = 1;
  #chunks = 0;

  constructor(findTools: (spec: LaunchSpec | AttachSpec) => Promise<PythonTools>) {
    this.#findTools = findTools;
  }

  async launch(spec: LaunchSpec, host: BackendHost, signal?: AbortSignal): Promise<void> {
    const tools = await this.#findTools(spec);
    const start: PydevdStart = {
      command: 'launch',
      arguments: { justMyCode: false, stopOnEntry: spec.stopOnEntry, subProcess: true },
      justMyCode: spec.justMyCode ?? true,
      isTest: spec.isTest,
    };
    const { first } = await this.#listen(host, start, { title: spec.name });
    const orders = {
      port: this.#listener?.port,
      token: this.#token,
      debugpy: tools.debugpyFolder,
      ...whatToRun(spec),
      args: spec.args,
      ...(spec.lateChildren === true && { lateChildren: await this.#ordersForChildren(tools) }),
    };
    const process = await ManagedProcess.start({
      name: spec.name,
      command: tools.python,
      args: [...(spec.runtimeArgs ?? []), assetPath('python/launch.py')],
      cwd: spec.cwd,
      env: childEnvironment(host.project.env, { ...spec.env, SIGHTLINE_DEBUGGEE: JSON.stringify(orders) }),
    });
    this.#process = process;
    this.#pump(process, host);
    this.#exitTold = process.exited.then((exit) => this.#afterExit(process, exit, host));
    const failed = process.exited.then((exit): never => {
      throw launchFailure(spec, process, exit);
    });
    failed.catch(() => undefined);
    try {
      await withTimeout(untilCancelled(Promise.race([first, failed]), signal), connectTimeoutMs);
    } catch (error) {
      await this.dispose();
      throw error;
    }
  }

  /** In a file, because what a process starts may print its environment. */
  async #ordersForChildren(tools: PythonTools): Promise<string> {
    this.#scratch = await scratchFolder('debug');
    const path = join(this.#scratch, 'children.json');
    const orders = { port: this.#listener?.port, token: this.#token, debugpy: tools.debugpyFolder };
    await writeFile(path, JSON.stringify({ ...orders, lateChildren: path }), { mode: 0o600 });
    return path;
  }

  async attach(spec: AttachSpec, host: BackendHost, signal?: AbortSignal): Promise<void> {
    const start: PydevdStart = {
      command: 'attach',
      arguments: {
        justMyCode: false,
        subProcess: true,
        redirectOutput: true,
        pathMappings: spec.pathMappings.map(({ localRoot, remoteRoot }) => ({ localRoot, remoteRoot })),
      },
      justMyCode: true,
    };
    if (spec.pid !== undefined) {
      const { first } = await this.#listen(host, start, { title: spec.name });
      const orders = { port: this.#listener?.port ?? 0, token: this.#token };
      await attachByPid(spec.pid, orders, await this.#findTools(spec), host, first, signal);
      return;
    }
    await this.#attachToPort(spec, host, start);
  }

  writeInput(text: string): Promise<void> {
    const process = this.#process;
    if (process === undefined || process.hasExited)
      return Promise.reject(
        new ToolError('not_running', 'The program takes no input: it was not started here or has ended.'),
      );
    return new Promise((resolve, reject) => {
      process.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  async drainOutput(): Promise<void> {
    if (this.#process === undefined) return;
    // Each turn of the event loop reads what the pipes hold; a turn without news means that they are empty.
    for (let turn = 0, seen = -1; turn < 200 && (turn < 2 || seen !== this.#chunks); turn++) {
      seen = this.#chunks;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async terminate(): Promise<void> {
    await this.#process?.kill(300);
    this.#listener?.dispose();
    await this.#exitTold;
  }

  async detach(): Promise<void> {
    this.#listener?.close();
  }

  async dispose(): Promise<void> {
    await this.terminate();
    if (this.#scratch !== undefined) await rm(this.#scratch, { recursive: true, force: true });
  }

  /** Opens the port that the program and its children call; answers with the arrival of the first one. */
  async #listen(host: BackendHost, start: PydevdStart, root: { title: string }): Promise<{ first: Promise<void> }> {
    const first = new Deferred<void>();
    let isFirst = true;
    this.#listener = await DapListener.open((streams) => {
      const mine = isFirst;
      isFirst = false;
      const begin = mine
        ? start
        : { ...start, command: 'attach' as const, arguments: { ...start.arguments, stopOnEntry: false } };
      this.#take(streams, host, begin, mine ? root.title : undefined).then(
        () => first.resolve(),
        (error: unknown) => {
          if (mine) first.reject(error);
          else host.logger.warn('A Python process called but could not be taken in.', errorMessage(error));
        },
      );
    });
    return { first: first.promise };
  }

  async #take(streams: DapStreams, host: BackendHost, start: PydevdStart, title?: string): Promise<void> {
    const connection = new DapConnection(streams, {
      peer: 'the Python debugger',
      logger: host.logger,
      logTail: () => this.#process?.stderrTail ?? '',
    });
    const hello = await this.#greet(connection);
    if (hello.token !== this.#token) {
      connection.dispose();
      throw new TransportError('python', 'A process called that does not belong to this session.');
    }
    await this.#adopt(connection, hello, host, start, title);
  }

  async #greet(connection: DapConnection): Promise<WireHello> {
    try {
      return await connection.requestCustom<WireHello>('sightlineHello', {}, { timeoutMs: 5000 });
    } catch (error) {
      if (connection.isClosed) throw error;
      // A child that pydevd started in its own way, or a program that had debugpy before us.
      await injectInto(connection);
      return connection.requestCustom<WireHello>('sightlineHello', {}, { timeoutMs: 5000 });
    }
  }

  async #adopt(
    connection: DapConnection,
    hello: WireHello,
    host: BackendHost,
    start: PydevdStart,
    title?: string,
  ): Promise<void> {
    const id = `p${this.#nextId++}`;
    const parentId = this.#idsByPid.get(hello.ppid);
    this.#idsByPid.set(hello.pid, id);
    const process: ProcessNode = {
      id,
      pid: hello.pid,
      ...(title === undefined ? { parentId: parentId ?? 'p1' } : {}),
      kind: 'process',
      title: title ?? hello.argv.join(' ').slice(0, 120),
    };
    // Only a process of this machine can be sent signals.
    const dumps = this.#process === undefined ? undefined : (hello.stacks ?? undefined);
    await host.adopt(new PydevdDebuggee(connection, process, { ...start, dumps }, host.logger));
  }

  async #attachToPort(spec: AttachSpec, host: BackendHost, start: PydevdStart): Promise<void> {
    const { host: address = '127.0.0.1', port = 5678 } = spec;
    let streams: DapStreams;
    try {
      streams = await connectTcp(address, port);
    } catch (error) {
      throw new ToolError('attach_failed', errorMessage(error), {
        hint: 'Start the program with: python -m debugpy --listen 5678 program.py',
        cause: error,
      });
    }
    try {
      const connection = await this.#joinThroughAdapter(streams, host, start, spec.name);
      void connection.closed.then(() => host.rootExited({ reason: 'the connection was closed' }));
    } catch (error) {
      throw error instanceof ToolError
        ? error
        : new ToolError('attach_failed', `${address}:${port} answered, but not as debugpy: ${errorMessage(error)}`, {
            cause: error,
          });
    }
  }

  async #joinThroughAdapter(
    streams: DapStreams,
    host: BackendHost,
    start: PydevdStart,
    title?: string,
  ): Promise<DapConnection> {
    const connection = new DapConnection(streams, { peer: 'debugpy', logger: host.logger });
    connection.events.on((event) => {
      // Here the adapter owns the children: each is another session on the port it names.
      if (event.event === 'debugpyAttach') void this.#joinChild(event.body as AdapterChild, host, start);
    });
    try {
      const { hello, attached } = await joinAdapter(connection, start.arguments);
      await this.#adopt(connection, hello, host, { ...start, attached }, title);
      return connection;
    } catch (error) {
      connection.dispose();
      throw error;
    }
  }

  async #joinChild(child: AdapterChild, host: BackendHost, start: PydevdStart): Promise<void> {
    try {
      const { connect: at, ...settings } = child;
      const streams = await connectTcp(at.host, at.port);
      await this.#joinThroughAdapter(streams, host, { ...start, arguments: { ...start.arguments, ...settings } });
    } catch (error) {
      host.logger.warn('A child process could not be joined.', errorMessage(error));
    }
  }

  #pump(process: ManagedProcess, host: BackendHost): void {
    for (const category of ['stdout', 'stderr'] as const) {
      const decoder = new StringDecoder('utf8');
      process[category].on('data', (chunk: Buffer) => {
        this.#chunks++;
        const text = decoder.write(chunk);
        if (text !== '') host.output({ category, text });
      });
      process[category].on('end', () => {
        const rest = decoder.end();
        if (rest !== '') host.output({ category, text: rest });
      });
    }
  }

  async #afterExit(program: ManagedProcess, exit: ProcessExit, host: BackendHost): Promise<void> {
    // The last words are still in the pipes; a child that inherited them must not make us wait for ever.
    const closed = Promise.all([ended(program.stdout), ended(program.stderr)]);
    await withTimeout(closed, 300).catch(() => undefined);
    await this.drainOutput();
    host.rootExited(toExitInfo(exit));
  }
}

async function ended(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  await new Promise<void>((resolve) => stream.once('close', resolve));
}

function toExitInfo(exit: ProcessExit): ExitInfo {
  if (exit.signal !== null) return { signal: exit.signal };
  return { code: exit.code ?? 0 };
}

function launchFailure(spec: LaunchSpec, process: ManagedProcess, exit: ProcessExit): ToolError {
  const how = exit.signal === null ? `code ${exit.code}` : exit.signal;
  const tail = process.stderrTail.trim();
  return new ToolError(
    'launch_failed',
    `${spec.name} ended (${how}) before the debugger could join it.${tail === '' ? '' : `\n${tail.slice(-1500)}`}`,
  );
}
