import { stat } from 'node:fs/promises';
import type { EngineDeclaration, FindContext } from './model.ts';

export interface ProbeAnswer {
  version: string | undefined;
  /** The program itself, where `path` was only a stand-in. */
  path: string;
}

/**
 * Remembers versions, because asking means starting a program, up to half a second each. An answer holds as long as the file
 * is the same one; those that depend on the folder they are asked in (version managers) are kept per project.
 */
export class ProbeMemory {
  readonly #answers = new Map<string, Promise<ProbeAnswer>>();

  async ask(engine: EngineDeclaration, path: string, context: FindContext): Promise<ProbeAnswer> {
    const { mtimeMs, size, ino } = await stat(path);
    const key = JSON.stringify([engine.id, path, mtimeMs, size, ino, context.project?.root, context.env['PATH']]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const asked = probe(engine, path, context);
    this.#answers.set(key, asked);
    // A failure may be cured without the file changing (a component added, memory freed), so it is asked again next time.
    asked.catch(() => this.#answers.delete(key));
    return asked;
  }
}

async function probe(engine: EngineDeclaration, path: string, context: FindContext): Promise<ProbeAnswer> {
  const version = await engine.probe(path, context);
  return { version, path: (await engine.resolve?.(path, context)) ?? path };
}
