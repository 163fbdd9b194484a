import type { Socket } from 'node:net';
import { DisposableStore, type AsyncDisposer } from '../../base/disposable.ts';
import { randomId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { ownIdentity, type ProcessIdentity } from '../../base/processIdentity.ts';
import type { ControlHandlers } from './controlServer.ts';
import { serveControl } from './controlServer.ts';
import { prepareRuntimeDir, publish, removeLeftovers, socketPath, unpublish, type Discovery } from './discovery.ts';
import type { Hello } from './hello.ts';
import { SharedListener } from './listener.ts';
import { ProcessLock, removeStaleLock } from './processLock.ts';

interface SharedProcessOptions {
  runtimeDir: string;
  version: string;
  build: string;
  token: string;
  url?: string;
  logger: Logger;
  handlers: ControlHandlers;
  /** Serves one MCP client until the socket closes. */
  serveMcp(hello: Hello, socket: Socket): void;
  /** Takes in what an editor shows until the socket closes. */
  serveEditor(hello: Hello, socket: Socket): void;
  onProblem(message: string): void;
}

/** Another process of this user is the shared one already. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
  readonly holder: ProcessIdentity;

  constructor(holder: ProcessIdentity) {
    super(`Sightline already runs as process ${holder.pid}.`);
    this.holder = holder;
  }
}

/** The part of a process that makes it the shared one: lock, socket and discovery file, which it takes away when it ends. */
export class SharedProcess implements AsyncDisposer {
  readonly discovery: Discovery;
  readonly #owned: DisposableStore;
  readonly #listener: SharedListener;

  private constructor(discovery: Discovery, owned: DisposableStore, listener: SharedListener) {
    this.discovery = discovery;
    this.#owned = owned;
    this.#listener = listener;
  }

  static takeLock(runtimeDir: string): ProcessLock {
    prepareRuntimeDir(runtimeDir);
    const lock = ProcessLock.take(runtimeDir, 'process');
    if (lock instanceof ProcessLock) return lock;
    throw new AlreadyRunningError(lock);
  }

  /** Call with the lock held, and release it when everything else has ended, so that the next process does not start before. */
  static async start(lock: ProcessLock, options: SharedProcessOptions): Promise<SharedProcess> {
    const { runtimeDir, logger } = options;
    const owned = new DisposableStore();
    owned.addFunction(() => {
      removeStaleLock(runtimeDir, 'start');
      removeLeftovers(runtimeDir);
    });
    try {
      removeLeftovers(runtimeDir);
      const socket = socketPath(runtimeDir, randomId('s'));
      const listener = await SharedListener.listen({
        socket,
        token: options.token,
        version: options.version,
        build: options.build,
        logger: logger.tagged('socket'),
        serve: (hello, connection) => {
          if (hello.kind === 'mcp') options.serveMcp(hello, connection);
          else if (hello.kind === 'editor') options.serveEditor(hello, connection);
          else serveControl(hello, connection, options.handlers, logger.tagged('control'));
        },
      });
      owned.add(listener);
      const discovery: Discovery = {
        ...ownIdentity(),
        version: options.version,
        build: options.build,
        token: options.token,
        socket,
        ...(options.url === undefined ? {} : { url: options.url }),
        startedAt: new Date().toISOString(),
      };
      if (!lock.isHeld) throw new Error('The process lock was lost while starting.');
      const aside = await publish(runtimeDir, discovery);
      if (aside !== undefined) options.onProblem(`A damaged discovery file was set aside as ${aside}.`);
      // Taken away first of all, so that nobody new finds a process that is ending.
      owned.addFunction(() => unpublish(runtimeDir, discovery));
      return new SharedProcess(discovery, owned, listener);
    } catch (error) {
      await owned.dispose();
      throw error;
    }
  }

  get connections(): number {
    return this.#listener.connections;
  }

  dispose(): Promise<void> {
    return this.#owned.dispose();
  }
}
