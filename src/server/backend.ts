import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { listedTool, toolsOfFace, type ListedTool } from '../tools/registry.ts';
import type { ToolAnswer } from './answer.ts';
import type { Approvals } from './approvals.ts';
import { Client, type ClientInfo } from './clients.ts';
import type { CallRequest } from './callRequest.ts';
import type { ToolRunner } from './toolRunner.ts';

/** How much earlier than an answer that waits for it a list is sent. */
const listTravelMs = 50;

/** What every way in uses: MCP, HTTP, the command line and the dashboard. */
export class Backend {
  readonly approvals: Approvals;
  /** A client is gone, and with it what only it wanted. */
  readonly clientLeft = new Emitter<Client>();
  /** One came, left, said its name or was shown tools. */
  readonly clientsChanged = new Emitter<void>();
  readonly clientJoined = new Emitter<Client>();
  /** A client was given its list of tools. */
  readonly listed = new Emitter<{ client: Client; count: number }>();
  /** A call of a client was answered. */
  readonly called = new Emitter<{ client: Client; answer: ToolAnswer }>();
  readonly #runner: ToolRunner;
  readonly #logger: Logger;
  readonly #clients = new Map<string, Client>();
  readonly #underWay = new Map<string, Set<AbortController>>();

  constructor(runner: ToolRunner, approvals: Approvals, logger: Logger) {
    this.#runner = runner;
    this.approvals = approvals;
    this.#logger = logger;
  }

  get clients(): readonly Client[] {
    return [...this.#clients.values()];
  }

  connect(info: ClientInfo): Client {
    const client = new Client(info);
    this.#clients.set(client.id, client);
    client.gone.on(() => {
      if (this.#clients.get(client.id) === client) this.#clients.delete(client.id);
      this.#logger.info(`client ${client.name} (${client.transport}) left`);
      this.approvals.forgetClient(client.id);
      this.clientLeft.fire(client);
      this.clientsChanged.fire();
    });
    client.changed.on(() => this.clientsChanged.fire());
    this.clientsChanged.fire();
    this.#logger.info(`client ${client.name} (${client.transport}, face ${client.face}) connected`);
    this.clientJoined.fire(client);
    return client;
  }

  listTools(client: Client): ListedTool[] {
    const tools = toolsOfFace(client.face, client.enabledToolsets);
    const { size } = client.enabledToolsets;
    // After the list has arrived: over HTTP it travels on another stream than an answer that waits for it.
    setTimeout(() => client.toolsListed.fire(size), listTravelMs).unref();
    client.shownTools = tools.map((tool) => tool.name);
    this.listed.fire({ client, count: tools.length });
    return tools.map((tool) => listedTool(tool, client.output !== 'text'));
  }

  listedNames(client: Client): ReadonlySet<string> {
    return new Set(toolsOfFace(client.face, client.enabledToolsets).map((tool) => tool.name));
  }

  async callTool(request: CallRequest): Promise<ToolAnswer> {
    const { client } = request;
    const stop = new AbortController();
    const underWay = this.#underWay.get(client.id) ?? new Set();
    this.#underWay.set(client.id, underWay.add(stop));
    try {
      const answer = await this.#runner.call({
        ...request,
        signal: AbortSignal.any([stop.signal, ...(request.signal === undefined ? [] : [request.signal])]),
      });
      this.called.fire({ client, answer });
      return answer;
    } finally {
      underWay.delete(stop);
      if (underWay.size === 0) this.#underWay.delete(client.id);
    }
  }

  /** Ends what a client has called for and not got yet, as if it had taken that back itself. */
  cancelCalls(clientId: string): void {
    for (const call of this.#underWay.get(clientId) ?? []) call.abort();
  }

  dispose(): void {
    for (const client of this.clients) client.dispose();
    this.approvals.dispose();
  }
}
