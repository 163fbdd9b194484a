import { ToolError } from '../../../../../base/errors.ts';
import type { Isolate } from './isolate.ts';

/** The isolates a session is connected to: one for each process, one for each worker. */
export class Peers {
  readonly #peers = new Map<string, { isolate: Isolate; ready: Promise<void> }>();

  get size(): number {
    return this.#peers.size;
  }

  add(isolate: Isolate, ready: Promise<void>): void {
    this.#peers.set(isolate.threadId, { isolate, ready });
  }

  remove(isolate: Isolate): void {
    this.#peers.delete(isolate.threadId);
  }

  isolates(): Isolate[] {
    return [...this.#peers.values()].map((peer) => peer.isolate);
  }

  ofThread(threadId: string): Isolate {
    const peer = this.#peers.get(threadId);
    if (peer === undefined)
      throw new ToolError('not_paused', `Thread ${threadId} is gone.`, { hint: 'List the threads again.' });
    return peer.isolate;
  }

  ofFrame(frameId: string): Isolate {
    return this.ofThread(frameId.split('.')[0] ?? '');
  }

  /** Isolates that end meanwhile do not spoil it for the others. */
  async each(work: (isolate: Isolate) => Promise<unknown>): Promise<void> {
    await Promise.all(
      [...this.#peers.values()].map(async ({ isolate, ready }) => {
        try {
          await ready;
          await work(isolate);
        } catch (error) {
          if (!isolate.session.isClosed) throw error;
        }
      }),
    );
  }

  close(): void {
    for (const isolate of this.isolates()) isolate.session.close();
    this.#peers.clear();
  }
}
