import { signal } from '@preact/signals';
import type {
  ChannelError,
  DashboardEvent,
  EventName,
  Events,
  Frame,
  MethodName,
  Params,
  Result,
  ToolReply,
} from '../../src/dashboard/channel.ts';

/**
 * The page's only way to the process: methods, tools and events.
 *
 * - `connecting`: nothing has come yet
 * - `live`: events arrive
 * - `stale`: the stream is open and silent; what is shown may be old
 * - `lost`: the process does not answer; the page tries again by itself
 * - `locked`: this browser needs a new link
 */
type Connection = 'connecting' | 'live' | 'stale' | 'lost' | 'locked';

export const connection = signal<Connection>('connecting');
/** When something last came from the process. */
export const lastHeard = signal(Date.now());

/** Grows when the process is heard again after a time without it: what was asked meanwhile failed, or is old by now. */
export const returns = signal(0);

/** The process said no, or did not answer. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(error: ChannelError) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint;
  }
}

export async function call<Name extends MethodName>(
  name: Name,
  params: Params<Name>,
  abort?: AbortSignal,
): Promise<Result<Name>> {
  const answer = await post(`/dashboard/api/${name}`, params, abort);
  if (answer.status === 401) connection.value = 'locked';
  if (!answer.ok) throw new CallError(await errorOf(answer));
  // The process answers a method with what the channel says; both are compiled against the same types.
  return (await answer.json()) as Result<Name>;
}

/** Calls a tool as the person at this page. A tool that fails answers with `error`; only a lost connection throws. */
export function tool(name: string, args: Record<string, unknown>, project?: string): Promise<ToolReply> {
  return call('tool.call', { tool: name, args, project });
}

type Listener<Name extends EventName> = (data: Events[Name]) => void;
const listeners = new Map<EventName, Set<(data: never) => void>>();
const resyncListeners = new Set<() => void>();
const frameListeners = new Set<() => void>();

/** Hears events of one type until the returned function is called. */
export function on<Name extends EventName>(type: Name, listener: Listener<Name>): () => void {
  const set = listeners.get(type) ?? new Set();
  listeners.set(type, set.add(listener));
  return () => void set.delete(listener);
}

/** Called when what the page knows must be asked for anew: at the start, and after events were missed. */
export function onResync(listener: () => void): () => void {
  resyncListeners.add(listener);
  return () => void resyncListeners.delete(listener);
}

/** Called once after all events of a frame: the moment to show them. */
export function onFrame(listener: () => void): () => void {
  frameListeners.add(listener);
  return () => void frameListeners.delete(listener);
}

/** Two beats of the process, and some. */
const staleAfterMs = 25_000;
/** A stream that was opened anew is answered at once, if there is anybody to answer. */
const reopenAfterMs = 10_000;
let source: EventSource | undefined;
let openedAt = 0;
let wasLive = false;
/** Calls that travel now; given up with connections that turned out to be dead. */
let calling = new AbortController();

/** Gives the token of the link away, if there is one, and opens the stream. */
export async function connect(): Promise<void> {
  const token = location.hash.slice(1);
  if (token !== '') {
    // Nobody who looks over a shoulder or into the history of the browser finds it.
    history.replaceState(null, '', location.pathname + location.search);
    await post('/dashboard/session', { token }).catch(() => undefined);
  }
  openStream();
  setInterval(watchSilence, 1000);
  // A laptop that slept has missed everything: look at once instead of waiting for a time-out.
  const look = () => {
    watchSilence();
    if (document.visibilityState === 'visible' && connection.value === 'lost') openStream();
  };
  for (const name of ['visibilitychange', 'resume']) document.addEventListener(name, look);
  for (const name of ['pageshow', 'online']) window.addEventListener(name, look);
}

/** Tries again now. */
export function openStream(): void {
  source?.close();
  openedAt = Date.now();
  const opened = new EventSource('/dashboard/events');
  source = opened;
  opened.addEventListener('message', (message: MessageEvent<string>) => {
    // Only the process writes to its stream.
    receive(JSON.parse(message.data) as Frame);
  });
  opened.addEventListener('error', () => void onStreamError(opened));
}

async function onStreamError(failed: EventSource): Promise<void> {
  if (failed !== source || connection.value === 'locked') return;
  connection.value = 'lost';
  // A browser does not say why a stream failed, and gives up where it was refused.
  if (failed.readyState !== EventSource.CLOSED) return;
  const answer = await post('/dashboard/api/approvals.list', {}).catch(() => undefined);
  if (answer?.status === 401) connection.value = 'locked';
  else setTimeout(() => failed === source && openStream(), 2000);
}

function receive(frame: Frame): void {
  const isReturn = wasLive && (connection.value !== 'live' || frame.kind === 'resync');
  lastHeard.value = Date.now();
  connection.value = 'live';
  wasLive = true;
  if (isReturn) returns.value++;
  if (frame.kind === 'resync') for (const listener of resyncListeners) listener();
  if (frame.kind !== 'events') return;
  for (const event of frame.events) dispatch(event);
  for (const listener of frameListeners) listener();
}

function dispatch(event: DashboardEvent): void {
  // Listeners of a type take the data of that type: `on` saw to it.
  for (const listener of listeners.get(event.type) ?? []) listener(event.data as never);
}

/**
 * A connection can be dead without a word, and stays open for ever: a machine that slept, a process that stands still. Then a new one is
 * tried. Calls go on at first, because it may have been the page that slept; where a new stream is silent too, they are given up.
 */
function watchSilence(): void {
  const now = Date.now();
  const isSilent = now - lastHeard.value > staleAfterMs;
  if (!isSilent || connection.value === 'locked' || now - openedAt < reopenAfterMs) return;
  if (connection.value === 'stale') {
    calling.abort(new Error('Sightline did not answer.'));
    calling = new AbortController();
  }
  if (connection.value !== 'lost') connection.value = 'stale';
  openStream();
}

function post(path: string, body: unknown, abort?: AbortSignal): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'same-origin',
    signal: abort === undefined ? calling.signal : AbortSignal.any([abort, calling.signal]),
  });
}

async function errorOf(answer: Response): Promise<ChannelError> {
  try {
    const body: unknown = await answer.json();
    if (typeof body === 'object' && body !== null && 'message' in body)
      return {
        code: 'code' in body ? String(body.code) : 'failed',
        message: String(body.message),
        ...('hint' in body && typeof body.hint === 'string' ? { hint: body.hint } : {}),
      };
  } catch {
    // Not JSON: the status has to do.
  }
  return { code: 'failed', message: `The process answered ${answer.status}.` };
}
