import type { AsyncDisposer } from '../base/disposable.ts';
import { ToolError } from '../base/errors.ts';
import type { Backend } from './backend.ts';
import type { Client } from './clients.ts';
import type { ListedResource, ListedTemplate, ResourceContent, ResourceProvider, ResourceWatch } from './resources.ts';

const template = 'symbol://{name}';
const prefix = 'symbol://';
const pollMs = 2000;

/** What is known about a symbol, by its name or name path, as a resource: `symbol://OrderService/total`. */
export class SymbolResources implements ResourceProvider {
  readonly #backend: Pick<Backend, 'callTool'>;
  readonly #codeVersion: (client: Client) => Promise<number>;

  /**
   * Resources are read by calling tools, so that policy, history and redaction hold for them too. `codeVersion` is a number
   * that grows with every change of the client's project; it is asked for again and again.
   */
  constructor(backend: Pick<Backend, 'callTool'>, codeVersion: (client: Client) => Promise<number>) {
    this.#backend = backend;
    this.#codeVersion = codeVersion;
  }

  /** There are too many symbols to list; they are found by the template. */
  list(): Promise<ListedResource[]> {
    return Promise.resolve([]);
  }

  templates(): ListedTemplate[] {
    return [
      {
        uriTemplate: template,
        name: 'Symbol',
        description: 'Kind, signature, documentation, place and uses of a symbol: Class, Class/method, function',
        mimeType: 'application/json',
      },
    ];
  }

  owns(uri: string): boolean {
    return uri.startsWith(prefix);
  }

  async read(uri: string, client: Client, signal: AbortSignal): Promise<ResourceContent[]> {
    const data = await this.#call('ide_inspect_symbol', { symbol: nameOf(uri) }, client, signal);
    return [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }];
  }

  /** Any change of the code can change what is known about a symbol: its type, its uses. */
  watch(_uri: string, client: Client, onChange: () => void): ResourceWatch {
    let known: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isDisposed = false;
    const look = async (): Promise<void> => {
      const now = await this.#codeVersion(client).catch(() => known);
      if (isDisposed) return;
      if (known !== undefined && now !== known) onChange();
      known = now;
      timer = setTimeout(() => void look(), pollMs).unref();
    };
    return {
      ready: look(),
      dispose: () => {
        isDisposed = true;
        clearTimeout(timer);
      },
    };
  }

  watchList(): AsyncDisposer {
    return { dispose: () => undefined };
  }

  async complete(_uriTemplate: string, _variable: string, typed: string, client: Client): Promise<string[]> {
    if (typed === '') return [];
    const data = await this.#call('search_symbols', { query: typed }, client, AbortSignal.timeout(10_000));
    const symbols = data['symbols'];
    if (!Array.isArray(symbols)) return [];
    return symbols.map((symbol: { name: string; container?: string }) =>
      symbol.container === undefined ? symbol.name : `${symbol.container}/${symbol.name}`,
    );
  }

  async #call(
    tool: string,
    args: Record<string, unknown>,
    client: Client,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const answer = await this.#backend.callTool({ tool, args, client, signal });
    if (answer.error !== undefined)
      throw new ToolError(answer.error.code, answer.error.message, {
        hint: answer.error.hint,
        data: answer.error.data,
      });
    return answer.data ?? {};
  }
}

function nameOf(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    throw new ToolError('invalid_arguments', `${uri} is not a valid address.`);
  }
}
