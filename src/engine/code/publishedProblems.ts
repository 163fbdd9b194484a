import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import { delay } from '../../base/cancellation.ts';
import { Deferred } from '../../base/deferred.ts';
import { ToolError } from '../../base/errors.ts';
import { fromWireUri } from '../../protocol/lsp/convert.ts';

interface Published {
  /** Of the document it is about, where the server says so. */
  version: number | undefined;
  diagnostics: readonly Diagnostic[];
}

const patienceMs = 15_000;
const lookAgainMs = 100;

/** The problems that a server sends by itself, for servers that cannot be asked: an answer waits for those of the text as it is now. */
export class PublishedProblems {
  readonly #byPath = new Map<string, Published>();
  #news = new Deferred<void>();

  receive({ uri, version, diagnostics }: PublishDiagnosticsParams): void {
    this.#byPath.set(fromWireUri(uri), { version, diagnostics });
    const { resolve } = this.#news;
    this.#news = new Deferred<void>();
    resolve();
  }

  /** What was said of a text that has changed since is no answer. */
  forget(path: string): void {
    this.#byPath.delete(path);
  }

  /** Undefined when the server says meanwhile that it can be asked: some do so only after they have started. */
  async of(
    path: string,
    version: number | undefined,
    canBeAsked: () => boolean,
    signal: AbortSignal | undefined,
  ): Promise<readonly Diagnostic[] | undefined> {
    const endsAt = Date.now() + patienceMs;
    while (!canBeAsked()) {
      const known = this.#byPath.get(path);
      const isCurrent = known !== undefined && (known.version === undefined || known.version >= (version ?? 0));
      if (isCurrent) return known.diagnostics;
      if (Date.now() > endsAt)
        throw new ToolError('timeout', `The server has said nothing of ${path} within ${patienceMs / 1000} s.`);
      await Promise.race([this.#news.promise, delay(lookAgainMs, signal)]);
    }
    return undefined;
  }
}
