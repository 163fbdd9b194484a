import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../../base/paths.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';

/**
 * The files of the project that a report means. Reports name them in every way: absolute, perhaps on another machine, relative to
 * the folder that a tool ran in, or behind the path of a package or module. What is not found in the project is never read.
 */
export class SourceFinder {
  readonly #project: Project;
  /** Folders that names may be relative to, best first. */
  readonly #bases: readonly string[];
  #byBasename: Promise<Map<string, string[]>> | undefined;
  #modules: Promise<GoModule[]> | undefined;

  constructor(project: Project, bases: readonly string[]) {
    this.#project = project;
    this.#bases = [...bases, project.root];
  }

  async find(name: string): Promise<string | undefined> {
    const places = isAbsolute(name) ? [name] : this.#bases.map((base) => resolve(base, name));
    for (const place of places) {
      const path = await this.#own(place);
      if (path !== undefined) return path;
    }
    return (await this.#inGoModule(name)) ?? this.#nearest(name);
  }

  /** Canonical and in the project, or nothing. */
  async #own(place: string): Promise<string | undefined> {
    const path = await realpath(place).catch(() => undefined);
    return path !== undefined && isInside(this.#project.root, path) ? path : undefined;
  }

  async #inGoModule(name: string): Promise<string | undefined> {
    if (!name.endsWith('.go')) return undefined;
    this.#modules ??= goModules(this.#project);
    for (const { path, folder } of await this.#modules)
      if (name.startsWith(`${path}/`)) {
        const found = await this.#own(join(folder, name.slice(path.length + 1)));
        if (found !== undefined) return found;
      }
    return undefined;
  }

  /** The one file that shares the most of the end of the name: two parts at least, or all of a short name. */
  async #nearest(name: string): Promise<string | undefined> {
    this.#byBasename ??= filesByBasename(this.#project);
    const wanted = name.split(/[\\/]/).filter((part) => part !== '');
    const candidates = (await this.#byBasename).get(wanted.at(-1) ?? '') ?? [];
    const shared = candidates.map((file) => ({ file, parts: commonEnd(file.split('/'), wanted) }));
    const most = Math.max(0, ...shared.map(({ parts }) => parts));
    if (most < Math.min(2, wanted.length)) return undefined;
    const best = shared.filter(({ parts }) => parts === most).map(({ file }) => join(this.#project.root, file));
    const near = best.filter((file) => isInside(this.#bases[0] ?? '', file));
    const [only, ...others] = best.length === 1 ? best : near;
    return only === undefined || others.length > 0 ? undefined : this.#own(only);
  }
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

async function filesByBasename(project: Project): Promise<Map<string, string[]>> {
  const byName = new Map<string, string[]>();
  const { files } = await listFiles(project);
  for (const file of files) {
    const known = byName.get(basename(file));
    if (known === undefined) byName.set(basename(file), [file]);
    else known.push(file);
  }
  return byName;
}

interface GoModule {
  path: string;
  folder: string;
}

/** Longest paths first: a module may lie in another one's folder. */
async function goModules(project: Project): Promise<GoModule[]> {
  const { files } = await listFiles(project, { globs: ['**/go.mod'] });
  const modules = await Promise.all(
    files.map(async (file) => {
      const place = join(project.root, file);
      const path = /^module\s+"?([^\s"]+)/m.exec(await readFile(place, 'utf8').catch(() => ''))?.[1];
      return path === undefined ? [] : [{ path, folder: dirname(place) }];
    }),
  );
  return modules.flat().toSorted((a, b) => b.path.length - a.path.length);
}
