import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { untilCancelled, withTimeout } from '../../../../base/cancellation.ts';
import { Deferred } from '../../../../base/deferred.ts';
import { errorMessage, ToolError, TransportError } from '../../../../base/errors.ts';
import { platform } from '../../../../base/platform/here.ts';
import { childEnvironment, ManagedProcess, type ProcessExit } from '../../../../base/processes.ts';
import { DapListener } from '../../../../protocol/dap/transports.ts';
import { JdwpConnection } from '../../../../protocol/jdwp/connection.ts';
import { JdwpMachine } from '../../../../protocol/jdwp/machine.ts';
import type { AttachSpec, ExitInfo, LaunchSpec, ProcessNode } from '../../model.ts';
import type { BackendHost, DapBackend } from '../../targets/dap/debuggee.ts';
import { JvmDebuggee, jvmCapabilities, type JvmStart } from '../../targets/jvm/jvmDebuggee.ts';
import { followOutput } from '../../targets/node/launch/programOutput.ts';

/** How a program's command line is made, once it is known where its virtual machine is to call. */
export interface JavaCommand {
  command: string;
  args: readonly string[];
  cwd: string;
  entryClass?: string;
  mainClass?: string | undefined;
  javaHome?: string | undefined;
  /** Read from what a build tool printed when no virtual machine was started: why not. */
  whyNothingRan?: (output: string) => ToolError | undefined;
}

export type CommandOf = (spec: LaunchSpec, agent: string) => Promise<JavaCommand>;

/** A program's own machine calls at once; that of a build tool when everything is compiled. */
const ownMs = 20_000;
const buildToolMs = 40_000;
const handshakeMs = 5000;

/** Starts Java programs that call us when their machine is up, or reaches running ones by their debug port. */
export class JvmBackend implements DapBackend {
  readonly capabilities = jvmCapabilities;
  readonly #commandOf: CommandOf;
  #process: ManagedProcess | undefined;
  #listener: DapListener | undefined;
  #exitTold: Promise<void> | undefined;
  #output = '';
  #chunks = 0;

  constructor(commandOf: CommandOf) {
    this.#commandOf = commandOf;
  }

  async launch(spec: LaunchSpec, host: BackendHost, signal?: AbortSignal): Promise<void> {
    const called = new Deferred<Duplex>();
    this.#listener = await DapListener.open(({ readable }) => {
      // The listener hands out both halves of one socket.
      called.resolve(readable as Socket);
      this.#listener?.close();
    });
    const agent = agentOption(this.#listener.port);
    try {
      const command = await this.#commandOf(spec, agent);
      const program = await ManagedProcess.start({
        name: spec.name,
        command: command.command,
        args: command.args,
        cwd: command.cwd,
        env: childEnvironment(host.project.env, spec.env),
      });
      this.#process = program;
      const exited = this.#follow(program, host);
      const failed = exited.then((exit): never => {
        throw command.whyNothingRan?.(this.#output) ?? launchFailure(spec, this.#output, exit);
      });
      failed.catch(() => undefined);
      const patienceMs = spec.kind === 'test' ? buildToolMs : ownMs;
      const stream = await withTimeout(untilCancelled(Promise.race([called.promise, failed]), signal), patienceMs);
      await this.#join(stream, host, { title: spec.name, pid: program.pid }, command);
    } catch (error) {
      await this.dispose();
      throw error;
    }
  }

  async attach(spec: AttachSpec, host: BackendHost): Promise<void> {
    const { pid, host: address = '127.0.0.1' } = spec;
    const port = spec.port ?? (pid === undefined ? undefined : debugPortOf(pid));
    if (port === undefined)
      throw new ToolError('attach_failed', `Process ${pid ?? ''} was not started with a debug port.`, {
        hint: 'Start it with: java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005 ...',
      });
    const socket = await opened(address, port);
    const connection = await this.#join(socket, host, { title: spec.name, ...(pid === undefined ? {} : { pid }) }, {});
    void connection.closed.then((reason) => host.rootExited({ reason }));
  }

  writeInput(text: string): Promise<void> {
    const program = this.#process;
    if (program === undefined || program.hasExited)
      return Promise.reject(
        new ToolError('not_running', 'The program takes no input: it was not started here or has ended.'),
      );
    return new Promise((resolve, reject) => {
      program.stdin.write(text, (error) => (error ? reject(error) : resolve()));
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
    // A machine that stands still would take its end for another thing to wait with.
    await this.#process?.kill(100);
    this.#listener?.dispose();
    await this.#exitTold;
  }

  detach(): Promise<void> {
    this.#listener?.close();
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return this.terminate();
  }

  async #join(
    stream: Duplex,
    host: BackendHost,
    about: { title: string; pid?: number },
    start: JvmStart,
  ): Promise<JdwpConnection> {
    const connection = new JdwpConnection(stream);
    try {
      await connection.open(handshakeMs);
    } catch (error) {
      connection.dispose();
      throw new ToolError('attach_failed', errorMessage(error), { cause: error });
    }
    const process: ProcessNode = { id: 'p1', kind: 'process', ...about };
    await host.adopt(new JvmDebuggee(new JdwpMachine(connection), process, host.project, start, host.logger));
    return connection;
  }

  async #follow(program: ManagedProcess, host: BackendHost): Promise<ProcessExit> {
    const exit = followOutput(program, (chunk) => {
      this.#chunks++;
      this.#output = (this.#output + chunk.text).slice(-20_000);
      host.output(chunk);
    });
    this.#exitTold = exit.then((end) => host.rootExited(toExitInfo(end)));
    return exit;
  }
}

/** What makes a machine call us, and wait until it is told to run. */
export function agentOption(port: number): string {
  return `-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=127.0.0.1:${port}`;
}

function toExitInfo(exit: ProcessExit): ExitInfo {
  return exit.signal === null ? { code: exit.code ?? 0 } : { signal: exit.signal };
}

function launchFailure(spec: LaunchSpec, output: string, exit: ProcessExit): ToolError {
  const how = exit.signal === null ? `code ${exit.code}` : exit.signal;
  const tail = output.trim();
  return new ToolError(
    'launch_failed',
    `${spec.name} ended (${how}) before the debugger could join it.${tail === '' ? '' : `\n${tail.slice(-1500)}`}`,
  );
}

/** The port that a process of this machine was told to listen on, as its command line has it. */
function debugPortOf(pid: number): number | undefined {
  const words = platform.processes.words(pid);
  const agent = words.find((word) => /^-(agentlib:jdwp|Xrunjdwp)/.test(word)) ?? '';
  const port = /address=(?:[^,]*:)?(\d+)/.exec(agent)?.[1];
  return port === undefined || port === '0' ? undefined : Number(port);
}

async function opened(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  const isOpen = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  try {
    await withTimeout(isOpen, handshakeMs, () => new TransportError('java', `Nothing answered at ${host}:${port}.`));
    return socket;
  } catch (error) {
    socket.destroy();
    throw new ToolError('attach_failed', `Nothing listens at ${host}:${port} (${errorMessage(error)}).`, {
      hint: 'Start the program with: java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005 ...',
      cause: error,
    });
  }
}
