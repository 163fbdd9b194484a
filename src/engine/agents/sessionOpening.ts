import { ToolError } from '../../base/errors.ts';
import { authRequiredCode, refusalOf } from '../../protocol/acp/connection.ts';
import type { AgentLaunch, AgentProcess } from './agentProcess.ts';
import { list, record, text, type Loose } from './loose.ts';
import type { Transcript } from './transcript.ts';

/** The server that an agent is given, with what tells its connections from others. */
export interface GivenServer {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

interface OpenedSession {
  sessionId: string;
  session: Loose;
}

/** How a session of an agent is begun or taken up again, with our server handed over. */
export class SessionOpening {
  /** The agent tells what was said before. */
  isReplaying = false;
  readonly #launch: AgentLaunch;
  readonly #server: GivenServer;
  readonly #transcript: Transcript;

  constructor(launch: AgentLaunch, server: GivenServer, transcript: Transcript) {
    this.#launch = launch;
    this.#server = server;
    this.#transcript = transcript;
  }

  /** The arguments of the agent; those that hand the server over among them, where `session/new` is no way to. */
  get launch(): AgentLaunch {
    const { serverArgument } = this.#launch;
    if (serverArgument === undefined) return this.#launch;
    const { command, args, env } = this.#server;
    const servers = { sightline: { type: 'local', command, args, env, tools: ['*'] } };
    const given = [serverArgument, JSON.stringify({ mcpServers: servers })];
    return { ...this.#launch, args: [...this.#launch.args, ...given] };
  }

  async begin(agent: AgentProcess): Promise<OpenedSession> {
    const session = await agent.connection.request('session/new', this.#params());
    const sessionId = text(session['sessionId']);
    if (sessionId === undefined) throw new ToolError('engine_failed', `${this.#launch.title} named no session.`);
    return { sessionId, session };
  }

  /** The one it had, where the agent can, else a new one. */
  async takeUp(agent: AgentProcess, sessionId: string): Promise<OpenedSession> {
    const params = { ...this.#params(), sessionId };
    try {
      if (agent.can.resume && this.#transcript.items.length > 0)
        return { sessionId, session: await agent.connection.request('session/resume', params) };
      if (agent.can.load) {
        this.#transcript.reset();
        this.isReplaying = true;
        return { sessionId, session: await agent.connection.request('session/load', params) };
      }
      if (agent.can.resume) return { sessionId, session: await agent.connection.request('session/resume', params) };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || refusal.code === authRequiredCode) throw error;
      this.#transcript.notice('warning', `The session could not be taken up again: ${refusal.message}`);
    } finally {
      this.isReplaying = false;
    }
    const opened = await this.begin(agent);
    this.#transcript.notice('warning', 'This is a new session: the agent does not remember what was said before.');
    return opened;
  }

  #params(): Loose {
    const { command, args, env } = this.#server;
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
    const servers =
      this.#launch.serverArgument === undefined ? [{ name: 'sightline', command, args, env: variables }] : [];
    return { cwd: this.#launch.cwd, mcpServers: servers };
  }
}

/** A session that the agent itself knows. */
export interface ListedSession {
  sessionId: string;
  title?: string;
  updatedAt?: string;
  cwd: string;
}

/** Newest page first. */
export async function listedSessions(agent: AgentProcess, title: string, cwd: string): Promise<ListedSession[]> {
  if (!agent.can.list) throw new ToolError('unsupported', `${title} does not list its sessions.`);
  const answer = await agent.connection.request('session/list', { cwd });
  return list(answer['sessions']).flatMap((each) => {
    const { sessionId, title: name, updatedAt, cwd: folder } = record(each);
    if (typeof sessionId !== 'string') return [];
    const [words, time] = [text(name), text(updatedAt)];
    return [
      {
        sessionId,
        cwd: text(folder) ?? '',
        ...(words === undefined ? {} : { title: words }),
        ...(time === undefined ? {} : { updatedAt: time }),
      },
    ];
  });
}
