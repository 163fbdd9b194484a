import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { DisposableStore, type AsyncDisposer } from '../base/disposable.ts';
import { CancelledError, errorMessage, PeerError, ToolError, TransportError } from '../base/errors.ts';
import { randomId } from '../base/ids.ts';
import type { Refusal } from '../server/http/guards.ts';
import type { Route } from '../server/http/routes.ts';
import type { HttpExchange } from '../server/mcp/exchange.ts';
import { DashboardAccess, portOf } from './access.ts';
import type { ChannelError } from './channel.ts';
import { EventStream } from './eventStream.ts';
import type { AnyMethod } from './method.ts';
import { agentMethods } from './methods/agents.ts';
import { approvalMethods } from './methods/approvals.ts';
import { healthMethods } from './methods/health.ts';
import { historyMethods } from './methods/history.ts';
import { changeMethods } from './methods/changes.ts';
import { debugMethods } from './methods/debug.ts';
import { terminalMethods } from './methods/terminals.ts';
import { testMethods } from './methods/testsAndJobs.ts';
import { installMethods } from './methods/install.ts';
import { processMethods } from './methods/process.ts';
import { settingsMethods } from './methods/settings.ts';
import { PageFiles } from './pageFiles.ts';
import type { DashboardParts } from './parts.ts';
import { PasswordPrompts } from './passwordPrompts.ts';
import { SessionStops } from './sessionStops.ts';
import { streamEvents } from './sources.ts';

/** What every method is made with. */
export interface MethodContext {
  parts: DashboardParts;
  stops: SessionStops;
  prompts: PasswordPrompts;
  stream: EventStream;
  /** Where the process listens. */
  url: () => string;
  stop: (reason: string) => void;
}

/** The window for people: a page, one stream of events and the methods that the page calls. Costs nothing until somebody opens it. */
export class Dashboard implements AsyncDisposer {
  readonly routes: readonly Route[];
  /** How the process is ended from the page; set by whoever runs it. */
  onStop: (reason: string) => void = () => undefined;
  readonly #parts: DashboardParts;
  readonly #access = new DashboardAccess();
  readonly #stream = new EventStream();
  readonly #files = new PageFiles();
  readonly #owned = new DisposableStore();
  readonly #stops: SessionStops;
  readonly #prompts: PasswordPrompts;
  #isStreaming = false;
  #url = '';

  constructor(parts: DashboardParts) {
    this.#parts = parts;
    this.#owned.add(this.#stream);
    this.#stops = this.#owned.add(new SessionStops(parts.engines.debugger));
    this.#prompts = this.#owned.add(new PasswordPrompts(parts.engines.terminals, () => this.pages > 0));
    this.routes = this.#makeRoutes();
  }

  /** Pages that are open now: somebody is looking. */
  get pages(): number {
    return this.#stream.pages;
  }

  listensOn(url: string): void {
    this.#url = url;
  }

  /** Lets one browser in, once. */
  newLink(): string {
    const token = this.#access.newLink();
    this.#parts.redactor.add(token);
    return `${this.#url}/dashboard#${token}`;
  }

  async dispose(): Promise<void> {
    await this.#owned.dispose();
  }

  #makeRoutes(): Route[] {
    const admits = (req: HttpExchange['req']): Refusal | undefined => this.#access.refusal(req);
    const anyone = () => undefined;
    const page = ({ req, res }: HttpExchange) =>
      this.#files.serve(new URL(req.url ?? '/', 'http://localhost').pathname.replace(/^\/dashboard\/?/, ''), res);
    return [
      { method: 'GET', path: '/dashboard', admits: anyone, handle: page },
      { method: 'GET', path: '/dashboard/', isPrefix: true, admits: anyone, handle: page },
      { method: 'POST', path: '/dashboard/session', admits: anyone, handle: (exchange) => this.#enter(exchange) },
      { method: 'GET', path: '/dashboard/events', admits, handle: (exchange) => this.#openStream(exchange) },
      ...this.#methods().map((each): Route => ({
        method: 'POST',
        path: `/dashboard/api/${each.name}`,
        admits,
        handle: (exchange) => this.#call(each, exchange),
      })),
    ];
  }

  #methods(): AnyMethod[] {
    const context: MethodContext = {
      parts: this.#parts,
      stops: this.#stops,
      prompts: this.#prompts,
      stream: this.#stream,
      url: () => this.#url,
      stop: (reason) => this.onStop(reason),
    };
    return [
      ...debugMethods(context),
      ...changeMethods(context),
      ...testMethods(context),
      ...terminalMethods(context),
      ...processMethods(context),
      ...historyMethods(context),
      ...approvalMethods(context),
      ...healthMethods(context),
      ...settingsMethods(context),
      ...installMethods(context),
      ...agentMethods(context),
    ];
  }

  /** A link's token for a cookie. */
  #enter({ req, res, body }: HttpExchange): void {
    const given = z.object({ token: z.string().max(200) }).safeParse(body);
    const { host = '', origin } = req.headers;
    const isOurs = origin === `http://${host}`;
    const session = given.success && isOurs ? this.#access.exchange(given.data.token) : undefined;
    if (session === undefined)
      return answer(res, 401, { code: 'link_used', message: 'This link was used already, or is too old.' });
    this.#parts.redactor.add(session);
    res.setHeader('set-cookie', this.#access.setCookie(session, portOf(host)));
    answer(res, 200, {});
  }

  #openStream({ req, res }: HttpExchange): void {
    if (!this.#isStreaming) {
      const context = { parts: this.#parts, stops: this.#stops, prompts: this.#prompts, stream: this.#stream };
      this.#owned.add(streamEvents(context));
      this.#isStreaming = true;
    }
    const lastId = req.headers['last-event-id'];
    this.#stream.open(res, typeof lastId === 'string' ? lastId : undefined);
    this.#prompts.lookAround();
  }

  async #call(method: AnyMethod, { res, body }: HttpExchange): Promise<void> {
    const parsed = method.params.safeParse(body ?? {});
    if (!parsed.success) return answer(res, 400, { code: 'invalid_arguments', message: z.prettifyError(parsed.error) });
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    try {
      // The schema of a method makes exactly what its handler takes, which `method` checked.
      answer(res, 200, (await method.handle(parsed.data as never, gone.signal)) ?? {});
    } catch (error) {
      answer(res, isOurs(error) ? 500 : 422, this.#errorOf(method, error));
    }
  }

  #errorOf(method: AnyMethod, error: unknown): ChannelError {
    if (error instanceof ToolError) return { code: error.code, message: error.message, hint: error.hint?.toString() };
    // A program or engine may end while the page asks about it.
    if (!isOurs(error)) return { code: 'engine_failed', message: errorMessage(error) };
    const id = randomId('bug');
    this.#parts.logger.error(`${id} in ${method.name}`, error);
    return { code: 'internal', message: `${errorMessage(error)} (${id} in the log)` };
  }
}

/** Whether the mistake is Sightline's own. */
function isOurs(error: unknown): boolean {
  return ![ToolError, TransportError, PeerError, CancelledError].some((kind) => error instanceof kind);
}

function answer(res: ServerResponse, status: number, value: unknown): void {
  if (res.destroyed) return;
  const text = JSON.stringify(value);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  res.end(text);
}
