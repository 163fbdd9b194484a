import type { McpServer, Server, ServerEvent } from '@modelcontextprotocol/server';
import { DisposableStore, disposeAll, type AsyncDisposer } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { ToolError } from '../../base/errors.ts';
import type { Client, ClientInfo } from '../clients.ts';
import type { ResourceWatch } from '../resources.ts';
import { createFaceServer, type FaceServerParts } from './faceServer.ts';

/**
 * One client as the transports see it: what makes servers for it and tells of changes that concern it. The product's peer is
 * `FacePeer`; the public conformance suite mounts its own on the same transports.
 */
export interface Peer extends AsyncDisposer {
  /** The client says who it is. */
  introduce(name: string): void;
  createServer(era: 'legacy' | 'modern'): Server | McpServer;
  /** Tells of changed lists and watched resources until disposed. */
  onChange(listener: (change: ServerEvent) => void): AsyncDisposer;
  watchResource(uri: string): ResourceWatch;
}

export type OpenPeer = (info: Pick<ClientInfo, 'name' | 'transport' | 'toolsets' | 'output'>) => Peer;

export class FacePeer implements Peer {
  readonly client: Client;
  readonly #parts: FaceServerParts;
  readonly #changes = new Emitter<ServerEvent>();
  readonly #owned = new DisposableStore();

  constructor(parts: FaceServerParts, info: ClientInfo) {
    this.#parts = parts;
    this.client = parts.backend.connect(info);
    this.#owned.add(this.client.toolListChanged.on(() => this.#changes.fire({ kind: 'tools_list_changed' })));
    this.#owned.add(parts.resources.watchList(() => this.#changes.fire({ kind: 'resources_list_changed' })));
  }

  introduce(name: string): void {
    this.client.name = name;
  }

  createServer(era: 'legacy' | 'modern'): Server {
    const server = createFaceServer(this.#parts, this.client, era);
    if (era === 'legacy') this.#serveSubscriptions(server);
    return server;
  }

  onChange(listener: (change: ServerEvent) => void): AsyncDisposer {
    return this.#changes.on(listener);
  }

  watchResource(uri: string): ResourceWatch {
    try {
      return this.#parts.resources.watch(uri, this.client, () => this.#changes.fire({ kind: 'resource_updated', uri }));
    } catch (error) {
      // A subscription to what does not exist is not an error of the stream that carries it; reading it says so.
      if (error instanceof ToolError) return { ready: Promise.resolve(), dispose: () => undefined };
      throw error;
    }
  }

  async dispose(): Promise<void> {
    this.#changes.dispose();
    this.client.dispose();
    await this.#owned.dispose();
  }

  /** The 2025 revisions subscribe by request; the 2026 revision by opening a stream, which the transport knows of. */
  #serveSubscriptions(server: Server): void {
    const watches = new Map<string, ResourceWatch>();
    this.#owned.addFunction(() => disposeAll(watches.values()));
    server.setRequestHandler('resources/subscribe', async (request) => {
      const { uri } = request.params;
      const watch = watches.get(uri) ?? this.watchResource(uri);
      watches.set(uri, watch);
      await watch.ready;
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', async (request) => {
      await watches.get(request.params.uri)?.dispose();
      watches.delete(request.params.uri);
      return {};
    });
  }
}

/** Sends the changes of a peer over a connection that lasts: 2025 sessions, HTTP+SSE and stdio. */
export function announceChanges(server: Server | McpServer, peer: Peer): AsyncDisposer {
  const target = 'server' in server ? server.server : server;
  return peer.onChange((change) => {
    // A client that left between the change and the telling of it needs no telling.
    send(target, change).catch(() => undefined);
  });
}

function send(server: Server, change: ServerEvent): Promise<void> {
  switch (change.kind) {
    case 'tools_list_changed':
      return server.sendToolListChanged();
    case 'prompts_list_changed':
      return server.sendPromptListChanged();
    case 'resources_list_changed':
      return server.sendResourceListChanged();
    case 'resource_updated':
      return server.sendResourceUpdated({ uri: change.uri });
  }
}

/** `name version` of what a client says of itself, bounded, because it ends up in logs and lists. */
export function nameOf(implementation: unknown): string | undefined {
  if (typeof implementation !== 'object' || implementation === null) return undefined;
  const { name, version }: { name?: unknown; version?: unknown } = implementation;
  if (typeof name !== 'string' || name === '') return undefined;
  return `${name}${typeof version === 'string' ? ` ${version}` : ''}`.slice(0, 120);
}
