import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LanguageServer } from '../../languageServer.ts';
import { readyState, type IndexState } from '../../model.ts';
import type { ServerCoverage } from '../definition.ts';

/** clangd begins to index a project when the first of its files is opened: so one is, before anything is asked. */
export class CppCoverage implements ServerCoverage {
  readonly shown = 0;
  readonly #server: LanguageServer;
  readonly #folder: string;

  constructor(server: LanguageServer, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  async prepare(): Promise<void> {
    const first = this.#firstSource();
    if (first !== undefined) await this.#server.documents.open(first);
  }

  ensure(): Promise<IndexState> {
    return Promise.resolve(readyState);
  }

  filesChanged(): void {
    // It is told of them as every server is.
  }

  #firstSource(): string | undefined {
    try {
      const commands: unknown = JSON.parse(readFileSync(join(this.#folder, 'compile_commands.json'), 'utf8'));
      const [first] = Array.isArray(commands) ? (commands as { file?: string; directory?: string }[]) : [];
      // Meson writes it relative to where the compiler runs.
      return first?.file === undefined ? undefined : resolve(first.directory ?? this.#folder, first.file);
    } catch {
      return undefined;
    }
  }
}
