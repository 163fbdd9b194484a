import type { Socket } from 'node:net';
import { errorMessage } from '../../base/errors.ts';
import { LineSplitter } from '../../base/lineSplitter.ts';
import type { SharedConnection } from '../../server/daemon/connect.ts';

const maxLineBytes = 256 * 1024 * 1024;

/** The shim's line to the shared process: made when something has to be sent, and made again after the process ended. */
export class Link {
  onLine: (line: string) => void = () => undefined;
  /** Returns the lines that have to come before all others. */
  onConnected: (sameBuild: boolean) => string[] = () => [];
  onLost: (why: string) => void = () => undefined;
  onBlocked: (blocked: boolean) => void = () => undefined;
  readonly #open: () => Promise<SharedConnection>;
  readonly #build: string;
  #socket: Socket | undefined;
  #connecting = false;
  #queue: string[] = [];

  constructor(open: () => Promise<SharedConnection>, build: string) {
    this.#open = open;
    this.#build = build;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  send(line: string): void {
    if (this.#socket === undefined) {
      this.#queue.push(line);
      this.connect();
    } else if (!this.#socket.write(`${line}\n`)) this.onBlocked(true);
  }

  connect(): void {
    if (this.#connecting || this.#socket !== undefined) return;
    this.#connecting = true;
    this.#open().then(
      (connection) => this.#connected(connection),
      (error: unknown) => this.#failed(error),
    );
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connected({ socket, build }: SharedConnection): void {
    this.#connecting = false;
    this.#socket = socket;
    const splitter = new LineSplitter(maxLineBytes);
    socket.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.onLine(line);
    });
    socket.on('drain', () => this.onBlocked(false));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#socket = undefined;
      this.onBlocked(false);
      this.onLost(
        'The Sightline process ended during this call. The next call starts it anew; debug sessions are gone.',
      );
    });
    for (const line of [...this.onConnected(build === this.#build), ...this.#queue]) socket.write(`${line}\n`);
    this.#queue = [];
    socket.resume();
  }

  #failed(error: unknown): void {
    this.#connecting = false;
    this.#queue = [];
    const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : '';
    this.onLost(`${errorMessage(error)}${hint}`);
  }
}
