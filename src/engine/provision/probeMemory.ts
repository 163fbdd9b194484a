import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineDeclaration, FindContext, ProbeAnswer } from './model.ts';

/**
 * Remembers versions, because asking means starting a program, up to half a second each. An answer holds as long as the file
 * is the same one; those that depend on the folder they are asked in (version managers) are kept per project.
 */
export class ProbeMemory {
  readonly #answers = new Map<string, Promise<ProbeAnswer>>();

  async ask(engine: EngineDeclaration, path: string, context: FindContext): Promise<ProbeAnswer> {
    const { mtimeMs, size, ino } = await stat(path);
    const place = context.project?.root;
    const choice = await versionChoice(path, context);
    const key = JSON.stringify([engine.id, path, mtimeMs, size, ino, place, context.env['PATH'], choice]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const asked = probe(engine, path, context);
    this.#answers.set(key, asked);
    // A failure may be cured without the file changing (a component added, memory freed), so it is asked again next time.
    asked.catch(() => this.#answers.delete(key));
    return asked;
  }
}

/** What a version manager goes by: its stand-in stays the same file while the version behind it changes. */
async function versionChoice(path: string, { project, env }: FindContext): Promise<readonly unknown[]> {
  if (!/[\\/](shims|\.asdf|mise)[\\/]/.test(path)) return [];
  const names = [
    '.python-version',
    '.tool-versions',
    'mise.toml',
    '.mise.toml',
    'rust-toolchain.toml',
    'rust-toolchain',
  ];
  const files = project === undefined ? [] : names.map((name) => join(project.root, name));
  const global =
    env['HOME'] === undefined ? [] : [join(env['HOME'], '.pyenv', 'version'), join(env['HOME'], '.tool-versions')];
  const times = [...files, ...global].map(async (file) => {
    try {
      return (await stat(file)).mtimeMs;
    } catch {
      return 0;
    }
  });
  return [env['PYENV_VERSION'], ...(await Promise.all(times))];
}

async function probe(engine: EngineDeclaration, path: string, context: FindContext): Promise<ProbeAnswer> {
  const answer = await engine.probe(path, context);
  return typeof answer === 'object' ? answer : { version: answer, path };
}
