import { CLIENT_INFO_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { DisposableStore, disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClientInfo } from '../clients.ts';
import type { ResourceWatch } from '../resources.ts';
import type { FaceServerParts } from './faceServer.ts';
import { LineTransport, type LineStreams } from './lineTransport.ts';
import { FacePeer, announceChanges, nameOf, type Peer } from './peer.ts';
import { subscribedUris } from './statelessClients.ts';

interface StdioConnection extends AsyncDisposer {
  /** Resolves when the client has gone and everything that was its own has been let go. */
  readonly ended: Promise<void>;
}

/** Serves one client over a pair of streams: stdin and stdout of an embedded process, or a socket of the shared one. */
export function serveStdio(
  parts: FaceServerParts,
  streams: LineStreams,
  info: ClientInfo,
  logger: Logger,
): StdioConnection {
  const peer = new FacePeer(parts, info);
  const transport = new LineTransport(streams);
  const owned = new DisposableStore();
  const listening = owned.add(new ListenWatches(peer));
  transport.onInbound = (message) => {
    const name = introducedName(message);
    if (name !== undefined) peer.introduce(name);
    return listening.see(message);
  };
  const handle = serveConnection(
    ({ era }) => {
      const server = peer.createServer(era);
      owned.add(announceChanges(server, peer));
      return server;
    },
    { transport, onerror: (error) => logger.debug('stdio', error) },
  );
  const ended = transport.closed.then(async () => {
    await handle.close();
    await owned.dispose();
    await peer.dispose();
  });
  return {
    ended,
    dispose: async () => {
      await transport.close();
      await ended;
    },
  };
}

/**
 * Watches what the `subscriptions/listen` requests of a connection want to hear of, as long as they stand. Over stdio the SDK serves
 * these requests by itself, so they are only seen passing by.
 */
class ListenWatches implements AsyncDisposer {
  readonly #peer: Peer;
  readonly #watches = new Map<unknown, ResourceWatch[]>();

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  see(message: JSONRPCMessage): Promise<void> | undefined {
    if (!('method' in message)) return undefined;
    if (message.method === 'notifications/cancelled') {
      const params: Record<string, unknown> = { ...message.params };
      return this.#stop(params['requestId']);
    }
    const watches = subscribedUris(message).map((uri) => this.#peer.watchResource(uri));
    if (watches.length === 0 || !('id' in message)) return undefined;
    this.#watches.set(message.id, watches);
    return Promise.all(watches.map((watch) => watch.ready)).then(() => undefined);
  }

  dispose(): Promise<void> {
    return disposeAll([...this.#watches.values()].flat());
  }

  #stop(id: unknown): Promise<void> | undefined {
    const watches = this.#watches.get(id);
    this.#watches.delete(id);
    return watches === undefined ? undefined : disposeAll(watches);
  }
}

function introducedName(message: JSONRPCMessage): string | undefined {
  if (!('method' in message)) return undefined;
  const params: Record<string, unknown> = { ...message.params };
  if (message.method === 'initialize') return nameOf(params['clientInfo']);
  const meta: Record<string, unknown> = { ...message.params?._meta };
  return nameOf(meta[CLIENT_INFO_META_KEY]);
}
