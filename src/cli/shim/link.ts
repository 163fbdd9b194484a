import type { Socket } from 'node:net';
import { errorMessage } from '../../base/errors.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import { idOfLongMessage } from '../../base/text/longMessage.ts';
import type { SharedConnection } from '../../server/daemon/connect.ts';
import type { LostConnection } from '../../server/daemon/hello.ts';

/** Answers are bounded far below; this only keeps a broken process from filling our memory. */
const maxLineBytes = 256 * 1024 * 1024;
/** What a process that does not read may leave with us. The client's end is always read on: its closing must be seen. */
const maxWaitingBytes = 64 * 1024 * 1024;

/** The shim's line to the shared process: made when something has to be sent, and made again after the process ended. */
export class Link {
  onLine: (line: string) => void = () => undefined;
  /** Returns the lines that have to come before all others. */
  onConnected: (sameBuild: boolean) => string[] = () => [];
  onLost: (why: string) => void = () => undefined;
  readonly #open: (lost: LostConnection | undefined) => Promise<SharedConnection>;
  readonly #build: string;
  #socket: Socket | undefined;
  #connecting = false;
  #queue: string[] = [];
  #queueBytes = 0;
  #lost: LostConnection | undefined;

  constructor(open: (lost: LostConnection | undefined) => Promise<SharedConnection>, build: string) {
    this.#open = open;
    this.#build = build;
  }

  get isConnected(): boolean {
    return this.#socket !== undefined;
  }

  /** False when nobody reads what was sent before: the line is not sent. */
  send(line: string): boolean {
    const waiting = this.#socket === undefined ? this.#queueBytes : this.#socket.writableLength;
    if (waiting > maxWaitingBytes) return false;
    if (this.#socket !== undefined) this.#socket.write(`${line}\n`);
    else {
      this.#queue.push(line);
      this.#queueBytes += line.length;
      this.connect();
    }
    return true;
  }

  connect(): void {
    if (this.#connecting || this.#socket !== undefined) return;
    this.#connecting = true;
    this.#open(this.#lost).then(
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

  #connected({ socket, build, pid }: SharedConnection): void {
    this.#connecting = false;
    this.#socket = socket;
    const splitter = new LineSplitter(maxLineBytes, (line) => {
      const error = { code: -32603, message: `The answer has ${line.bytes} bytes, which is too long to be passed on.` };
      this.onLine(JSON.stringify({ jsonrpc: '2.0', id: idOfLongMessage(line), error }));
    });
    socket.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.onLine(line);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#socket = undefined;
      this.#lost = { pid };
      this.onLost(
        'The connection to the Sightline process ended during this call. The next call connects anew; debug sessions and jobs are gone.',
      );
    });
    this.#lost = undefined;
    for (const line of [...this.onConnected(build === this.#build), ...this.#takeQueue()]) socket.write(`${line}\n`);
    socket.resume();
  }

  #failed(error: unknown): void {
    this.#connecting = false;
    this.#takeQueue();
    const hint = error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}` : '';
    this.onLost(`${errorMessage(error)}${hint}`);
  }

  #takeQueue(): string[] {
    const queue = this.#queue;
    this.#queue = [];
    this.#queueBytes = 0;
    return queue;
  }
}
