import { connect, createServer, type Server, type Socket } from 'node:net';
import { isErrnoException, TransportError } from '../../base/errors.ts';
import { withTimeout } from '../../base/cancellation.ts';
import type { DapStreams } from './connection.ts';

/** Opens a TCP connection to an adapter that listens. Nagle's algorithm is off: it costs 40 ms per answer otherwise. */
export async function connectTcp(host: string, port: number, timeoutMs = 5000): Promise<DapStreams> {
  const peer = `${host}:${port}`;
  const socket = connect({ host, port, noDelay: true });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  try {
    await withTimeout(
      opened,
      timeoutMs,
      () => new TransportError(peer, `Nothing answered at ${peer} within ${timeoutMs} ms.`),
    );
  } catch (error) {
    socket.destroy();
    if (isErrnoException(error, 'ECONNREFUSED')) {
      throw new TransportError(peer, `Nothing listens at ${peer} (connection refused).`, '', error);
    }
    if (error instanceof TransportError) throw error;
    throw new TransportError(
      peer,
      `Could not connect to ${peer}: ${error instanceof Error ? error.message : ''}`,
      '',
      error,
    );
  }
  return { readable: socket, writable: socket };
}

/** Waits on a loopback port of the system's choice for debuggees that call us. */
export class DapListener {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async open(onConnection: (streams: DapStreams) => void): Promise<DapListener> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    const address = server.address();
    const listener = new DapListener(server, typeof address === 'object' && address !== null ? address.port : 0);
    server.on('connection', (socket) => {
      listener.#sockets.add(socket);
      socket.once('close', () => listener.#sockets.delete(socket));
      onConnection({ readable: socket, writable: socket });
    });
    return listener;
  }

  /** Takes no more callers; connections that exist go on until their owner closes them. */
  close(): void {
    this.#server.close();
  }

  dispose(): void {
    this.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
