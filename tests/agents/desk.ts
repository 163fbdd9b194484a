import { join } from 'node:path';
import type { Question, ThreadItem, ThreadView } from '../../src/engine/agents/model.ts';
import type { AgentOperation, AgentRequests } from '../../src/server/agents/agentRequests.ts';
import type { AgentThread } from '../../src/engine/agents/thread.ts';
import { startSightline, type RunningSightline } from '../harness/startSightline.ts';

export const scriptedAgent = join(import.meta.dirname, 'fixtures', 'scriptedAgent.mjs');

const files = {
  'package.json': '{"name": "shop"}\n',
  'price.ts': 'export const price = 1;\n',
  '.vscode/tasks.json': '{}\n',
};

/** A whole Sightline with agents of ours, and requests as the command line and the dashboard make them. */
export class Desk {
  readonly running: RunningSightline;
  readonly #gone = new AbortController();

  private constructor(running: RunningSightline) {
    this.running = running;
  }

  static async open(agents: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv = {}): Promise<Desk> {
    const custom = JSON.stringify(agents);
    return new Desk(await startSightline({ project: files, env: { SIGHTLINE_AGENTS_CUSTOM: custom, ...env } }));
  }

  request<Operation extends AgentOperation>(
    op: Operation,
    params: AgentRequests[Operation]['params'],
  ): Promise<AgentRequests[Operation]['result']> {
    const { root, sightline } = this.running;
    const env = { PATH: process.env['PATH'], HOME: this.running.home };
    return sightline.agents.request(op, params, {
      cwd: root,
      env,
      signal: this.#gone.signal,
    });
  }

  async start(agent: string, params: AgentRequests['start']['params'] = {}): Promise<Talk> {
    const { id } = await this.request('start', { agent, permissions: 'policy', ...params });
    return this.talk(id);
  }

  talk(id: string): Talk {
    return new Talk(this, this.running.sightline.agentHost.get(id));
  }

  /** The command line that started temporary threads hangs up. */
  hangUp(): void {
    this.#gone.abort();
  }

  dispose(): Promise<void> {
    return this.running.dispose();
  }
}

/** One thread, and waiting for what happens in it. */
export class Talk {
  readonly desk: Desk;
  readonly thread: AgentThread;

  constructor(desk: Desk, thread: AgentThread) {
    this.desk = desk;
    this.thread = thread;
  }

  get view(): ThreadView {
    return this.thread.view;
  }

  async until(isSo: (view: ThreadView) => boolean): Promise<ThreadView> {
    if (isSo(this.view)) return this.view;
    return new Promise((resolve) => {
      const hearing = this.thread.onDidChange.on(() => {
        if (!isSo(this.view)) return;
        void hearing.dispose();
        resolve(this.view);
      });
    });
  }

  ready(): Promise<ThreadView> {
    return this.until(({ state }) => state !== 'starting');
  }

  /** Sends a prompt and waits for the end of its turn. */
  async turn(text: string): Promise<ThreadView> {
    await this.ready();
    const before = this.view.turns.length;
    await this.desk.request('prompt', { id: this.thread.id, text });
    return this.until(
      ({ turns, state }) => state !== 'running' && turns.length > before && turns.at(-1)?.endedAt !== undefined,
    );
  }

  async question(): Promise<Question> {
    const isAsked = ({ questions }: ThreadView) =>
      questions[0] !== undefined && (questions[0].kind === 'form' || questions[0].ticketId !== undefined);
    const { questions } = await this.until(isAsked);
    const [question] = questions;
    if (question === undefined) throw new Error('nobody asks');
    return question;
  }

  items<Type extends ThreadItem['type']>(type: Type): Extract<ThreadItem, { type: Type }>[] {
    return this.thread.items.filter((item): item is Extract<ThreadItem, { type: Type }> => item.type === type);
  }

  said(role: 'user' | 'agent' | 'thought', turn = this.view.turns.length): string[] {
    return this.items('message')
      .filter((item) => item.role === role && item.turn === turn)
      .map((item) => item.text);
  }
}
