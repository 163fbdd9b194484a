import { stat } from 'node:fs/promises';
import type { EngineDeclaration, FindContext } from './model.ts';

/**
 * Remembers versions, because asking means starting a program, up to half a second each. An answer holds as long as the file
 * is the same one; those that depend on the folder they are asked in (version managers) are kept per project.
 */
export class ProbeMemory {
  readonly #answers = new Map<string, Promise<string | undefined>>();

  async version(engine: EngineDeclaration, path: string, context: FindContext): Promise<string | undefined> {
    const { mtimeMs, size, ino } = await stat(path);
    const key = JSON.stringify([engine.id, path, mtimeMs, size, ino, context.project?.root, context.env['PATH']]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const asked = engine.probe(path, context);
    this.#answers.set(key, asked);
    // A failure may be cured without the file changing (a component added, memory freed), so it is asked again next time.
    asked.catch(() => this.#answers.delete(key));
    return asked;
  }
}
