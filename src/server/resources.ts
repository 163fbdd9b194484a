import { disposeAll, type AsyncDisposer } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import type { Client } from './clients.ts';

/** One thing that can be read by its address. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

/** A family of resources: `uriTemplate` is an RFC 6570 template such as `file:///{+path}`. */
export interface ListedTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}

export interface ResourceContent {
  uri: string;
  mimeType?: string;
  text: string;
}

/** A change of the resource after `ready` is told; one before it may be missed. */
export interface ResourceWatch extends AsyncDisposer {
  readonly ready: Promise<void>;
}

/**
 * A source of resources. The workspace and the code engine each bring some; every transport serves them all. Reading obeys the
 * same path rules as the tools do.
 */
export interface ResourceProvider {
  list(client: Client): Promise<ListedResource[]>;
  templates(): ListedTemplate[];
  /** Whether this provider answers for the address; the first that says yes reads it. */
  owns(uri: string): boolean;
  /** Throws a `ToolError` when there is nothing there (`file_not_found`, `symbol_not_found`). */
  read(uri: string, client: Client, signal: AbortSignal): Promise<ResourceContent[]>;
  /** Calls back when the content of `uri` may have changed, until disposed. */
  watch(uri: string, client: Client, onChange: () => void): ResourceWatch;
  /** Calls back when `list` would answer differently, until disposed. */
  watchList(onChange: () => void): AsyncDisposer;
  /** Values for one variable of a template, best first. */
  complete(uriTemplate: string, variable: string, typed: string, client: Client): Promise<string[]>;
}

/** All providers as one. */
export class Resources {
  readonly #providers: readonly ResourceProvider[];

  constructor(providers: readonly ResourceProvider[] = []) {
    this.#providers = providers;
  }

  get isEmpty(): boolean {
    return this.#providers.length === 0;
  }

  async list(client: Client): Promise<ListedResource[]> {
    return (await Promise.all(this.#providers.map((provider) => provider.list(client)))).flat();
  }

  templates(): ListedTemplate[] {
    return this.#providers.flatMap((provider) => provider.templates());
  }

  async read(uri: string, client: Client, signal: AbortSignal): Promise<ResourceContent[]> {
    return this.#owner(uri).read(uri, client, signal);
  }

  watch(uri: string, client: Client, onChange: () => void): ResourceWatch {
    return this.#owner(uri).watch(uri, client, onChange);
  }

  watchList(onChange: () => void): AsyncDisposer {
    const watches = this.#providers.map((provider) => provider.watchList(onChange));
    return { dispose: () => disposeAll(watches) };
  }

  async complete(uriTemplate: string, variable: string, typed: string, client: Client): Promise<string[]> {
    const provider = this.#providers.find((candidate) =>
      candidate.templates().some((template) => template.uriTemplate === uriTemplate),
    );
    return provider === undefined ? [] : provider.complete(uriTemplate, variable, typed, client);
  }

  #owner(uri: string): ResourceProvider {
    const owner = this.#providers.find((provider) => provider.owns(uri));
    if (owner === undefined) {
      throw new ToolError('file_not_found', `There is no resource ${uri}.`, {
        hint: 'resources/list and resources/templates/list show what can be read.',
      });
    }
    return owner;
  }
}
