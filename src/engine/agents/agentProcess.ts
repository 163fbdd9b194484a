import { ToolError, TransportError } from '../../base/errors.ts';
import { withTimeout } from '../../base/cancellation.ts';
import { ManagedProcess, childEnvironment } from '../../base/processes.ts';
import { sightlineVersion } from '../../base/version.ts';
import { AcpConnection, type AcpHandlers } from '../../protocol/acp/connection.ts';
import { list, record, text, type Loose } from './loose.ts';

export interface AgentLaunch {
  title: string;
  command: string;
  args: readonly string[];
  /** Beyond the environment of the project. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** The option that takes servers as JSON, of an agent that refuses those of `session/new` which are no HTTP servers. */
  serverArgument?: string;
}

export interface SignInMethod {
  id: string;
  name: string;
  description?: string;
  isTerminal: boolean;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

interface AgentCapabilities {
  load: boolean;
  resume: boolean;
  list: boolean;
  close: boolean;
}

/** A first start may fetch the agent from the registry. */
const handshakeMs = 180_000;
const protocolVersion = 1;
const exitKnownMs = 500;

/** What would make an agent talk to another host than this one. */
const foreignHosts =
  /^(CLAUDECODE|CLAUDE_CODE_(SSE_PORT|ENTRYPOINT)|OPENCODE_EDITOR_SSE_PORT|(GEMINI_CLI|QWEN_CODE)_IDE_.*|ENABLE_IDE_INTEGRATION)$/;

const clientCapabilities = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  auth: { terminal: true },
  elicitation: { form: {}, url: {} },
};

/** An agent's process with its connection; the two live and die together. */
export class AgentProcess {
  readonly connection: AcpConnection;
  readonly version: string | undefined;
  readonly can: AgentCapabilities;
  readonly signIn: readonly SignInMethod[];
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>;
  readonly #process: ManagedProcess;

  private constructor(process: ManagedProcess, connection: AcpConnection, ended: Promise<string>, greeting: Loose) {
    this.#process = process;
    this.connection = connection;
    this.ended = ended;
    this.version = text(record(greeting['agentInfo'])['version']);
    const capabilities = record(greeting['agentCapabilities']);
    const sessions = record(capabilities['sessionCapabilities']);
    const has = (name: string) => typeof sessions[name] === 'object' && sessions[name] !== null;
    this.can = {
      load: capabilities['loadSession'] === true,
      resume: has('resume'),
      list: has('list'),
      close: has('close'),
    };
    this.signIn = list(greeting['authMethods']).flatMap(signInMethod);
  }

  static async start(launch: AgentLaunch, projectEnv: NodeJS.ProcessEnv, handlers: AcpHandlers): Promise<AgentProcess> {
    const child = await ManagedProcess.start({
      ...launch,
      env: agentEnvironment(launch, projectEnv),
      name: launch.title,
    });
    let connection: AcpConnection | undefined;
    try {
      connection = await AcpConnection.open(child.stdout, child.stdin, handlers);
      const ended = endOf(child, connection, launch.title);
      const greeting = connection.request('initialize', {
        protocolVersion,
        clientInfo: { name: 'sightline', title: 'Sightline', version: sightlineVersion },
        clientCapabilities,
      });
      greeting.catch(() => undefined);
      const dead = ended.then((reason) => {
        throw new TransportError(launch.title, reason, child.stderrTail);
      });
      dead.catch(() => undefined);
      const answer = await withTimeout(Promise.race([greeting, dead]), handshakeMs);
      if (answer['protocolVersion'] !== protocolVersion)
        throw new ToolError(
          'unsupported',
          `${launch.title} speaks version ${JSON.stringify(answer['protocolVersion'])} of the Agent Client Protocol; this Sightline speaks ${protocolVersion}.`,
        );
      return new AgentProcess(child, connection, ended, answer);
    } catch (error) {
      connection?.dispose();
      await child.kill();
      throw error;
    }
  }

  async dispose(): Promise<void> {
    this.connection.dispose();
    await this.#process.kill();
  }
}

function agentEnvironment(launch: Pick<AgentLaunch, 'env'>, projectEnv: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(projectEnv).filter(([name]) => !foreignHosts.test(name));
  return childEnvironment(Object.fromEntries(own), launch.env);
}

async function endOf(process: ManagedProcess, connection: AcpConnection, title: string): Promise<string> {
  const exited = process.exited.then(({ code, signal }) => `${title} ended (${signal ?? `exit code ${code}`}).`);
  // The end of a process is seen by its closed streams first.
  const closed = connection.closed
    .then(() => new Promise((resolve) => setTimeout(resolve, exitKnownMs)))
    .then(() => `${title} closed its connection.`);
  const reason = await Promise.race([exited, closed]);
  // What it said last comes a moment after its end.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const said = process.stderrTail.trim().split('\n').slice(-3).join('\n').slice(-600);
  return said === '' ? reason : `${reason} It said: ${said}`;
}

function signInMethod(value: unknown): SignInMethod[] {
  const { id, name, description, type, args, env } = record(value);
  if (typeof id !== 'string') return [];
  const words = text(description);
  return [
    {
      id,
      name: text(name) ?? id,
      ...(words === undefined ? {} : { description: words }),
      isTerminal: type === 'terminal',
      args: list(args).filter((each) => typeof each === 'string'),
      env: Object.fromEntries(
        Object.entries(record(env)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    },
  ];
}
