import { timingSafeEqual, createHash } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import type { AsyncDisposer } from '../../base/disposable.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import type { Logger } from '../../base/logger.ts';
import { parseHello, type Hello, type Welcome } from './hello.ts';

interface ListenerOptions {
  socket: string;
  token: string;
  version: string;
  build: string;
  logger: Logger;
  /** Takes over the connection; what the client sent after its hello is still to be read from the socket. */
  serve(hello: Hello, socket: Socket): void;
}

const helloTimeoutMs = 5000;
const maxHelloBytes = 4_000_000;

/** Accepts shims and command lines on the Unix socket. Nobody gets further than the first line without the token. */
export class SharedListener implements AsyncDisposer {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async listen(options: ListenerOptions): Promise<SharedListener> {
    const listener = new SharedListener(options);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject);
      listener.#server.listen(options.socket, () => {
        listener.#server.off('error', reject);
        resolve();
      });
    });
    listener.#server.on('error', (error) => options.logger.error('The socket of the process failed.', error));
    return listener;
  }

  get connections(): number {
    return this.#open.size;
  }

  async dispose(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    // A peer that vanishes is seen as the close that follows.
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), helloTimeoutMs);
    const splitter = new LineSplitter(maxHelloBytes);
    const onData = (chunk: Buffer) => {
      let lines: string[];
      try {
        lines = splitter.push(chunk);
      } catch {
        socket.destroy();
        return;
      }
      const [first, ...more] = lines;
      if (first === undefined) return;
      clearTimeout(timer);
      socket.off('data', onData);
      socket.pause();
      const early = [...more.map((line) => `${line}\n`), splitter.rest().toString('utf8')].join('');
      if (early !== '') socket.unshift(Buffer.from(early));
      this.#greet(first, socket);
    };
    socket.once('close', () => clearTimeout(timer));
    socket.on('data', onData);
  }

  #greet(line: string, socket: Socket): void {
    const { token, version, build, logger } = this.#options;
    const hello = parseHello(line);
    if (hello === undefined || !sameSecret(hello.token, token)) {
      logger.warn(hello === undefined ? 'A connection without a proper hello.' : 'A connection with a wrong token.');
      const refusal: Welcome = { refused: hello === undefined ? 'not understood' : 'wrong token' };
      socket.end(`${JSON.stringify(refusal)}\n`);
      return;
    }
    const welcome: Welcome = { welcome: { version, build, pid: process.pid } };
    socket.write(`${JSON.stringify(welcome)}\n`);
    this.#options.serve(hello, socket);
  }
}

/** In constant time, also for different lengths. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
