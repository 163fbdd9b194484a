import { CLIENT_INFO_META_KEY, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ClientInfo } from '../clients.ts';
import type { FaceServerParts } from './faceServer.ts';
import { LineTransport, type LineStreams } from './lineTransport.ts';
import { FacePeer, announceChanges, nameOf } from './peer.ts';
import { subscribedUris } from './statelessClients.ts';

export interface StdioConnection extends AsyncDisposer {
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
  const owned: AsyncDisposer[] = [];
  transport.onInbound = (message) => {
    const name = introducedName(message);
    if (name !== undefined) peer.introduce(name);
    const watches = subscribedUris(message).map((uri) => peer.watchResource(uri));
    owned.push(...watches);
    return watches.length === 0 ? undefined : Promise.all(watches.map((watch) => watch.ready)).then(() => undefined);
  };
  const handle = serveConnection(
    ({ era }) => {
      const server = peer.createServer(era);
      owned.push(announceChanges(server, peer));
      return server;
    },
    { transport, onerror: (error) => logger.debug('stdio', error) },
  );
  const ended = transport.closed.then(async () => {
    await handle.close();
    await disposeAll(owned);
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

function introducedName(message: JSONRPCMessage): string | undefined {
  if (!('method' in message)) return undefined;
  const params: Record<string, unknown> = { ...message.params };
  if (message.method === 'initialize') return nameOf(params['clientInfo']);
  const meta: Record<string, unknown> = { ...message.params?._meta };
  return nameOf(meta[CLIENT_INFO_META_KEY]);
}
