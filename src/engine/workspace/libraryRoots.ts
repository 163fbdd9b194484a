import { readdir, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { machine } from '../../base/platform/here.ts';
import type { Project } from './project.ts';

/**
 * Folders of library sources that may be read besides the project, because definitions lead there. Only folders that hold
 * downloaded code and nothing personal: the repository of Maven, not its settings; the registry of Cargo, not its credentials.
 */
export class LibraryRoots {
  readonly #own: readonly string[];
  readonly #known = new Map<string, Promise<string[]>>();

  /** `own`: folders of Sightline itself with the sources that its bundled engines point to. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Canonical; found once per project. */
  of(project: Project): Promise<string[]> {
    const roots = this.#known.get(project.root) ?? this.#find(project);
    this.#known.set(project.root, roots);
    return roots;
  }

  forget(project: Project): void {
    this.#known.delete(project.root);
  }

  async #find(project: Project): Promise<string[]> {
    const candidates = [...this.#own, ...fromEnvironment(project.env), ...(await installedLanguages())];
    const found = await Promise.all(candidates.map((folder) => realpath(folder).catch(() => undefined)));
    const isNarrow = (root: string) => root.split('/').length > 2 && root !== project.env['HOME'];
    // A root so wide that it is no library would undo the confinement.
    return [...new Set(found.filter((root) => root !== undefined))].filter(isNarrow);
  }
}

function fromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const home = env['HOME'];
  const inHome = (...path: string[]) => (home === undefined ? [] : [join(home, ...path)]);
  const inFolder = (folder: string | undefined, ...path: string[]) =>
    folder === undefined || folder === '' ? [] : [join(folder, ...path)];
  return [
    ...inFolder(env['GOROOT'], 'src'),
    ...inFolder(env['GOMODCACHE']),
    ...(env['GOPATH'] ?? '').split(':').flatMap((folder) => inFolder(folder, 'pkg', 'mod')),
    ...inHome('go', 'pkg', 'mod'),
    ...inFolder(env['CARGO_HOME'], 'registry', 'src'),
    ...inHome('.cargo', 'registry', 'src'),
    ...inFolder(env['RUSTUP_HOME'], 'toolchains'),
    ...inHome('.rustup', 'toolchains'),
    ...inHome('.m2', 'repository'),
    ...inHome('.gradle', 'caches', 'modules-2'),
    ...inFolder(env['JAVA_HOME'], 'lib'),
    ...inFolder(env['VIRTUAL_ENV'], 'lib'),
    ...inFolder(env['CONDA_PREFIX'], 'lib'),
    ...inHome('.pyenv', 'versions'),
    ...inHome('.local', 'share', 'uv', 'python'),
    ...inHome('.local', 'share', 'pnpm', 'store'),
  ];
}

/** Where distributions put the sources of languages. */
async function installedLanguages(): Promise<string[]> {
  const fixed = ['/usr/local/go/src', '/usr/include', '/usr/local/include', '/usr/lib/python3/dist-packages'];
  const versioned = await Promise.all([
    matching('/usr/lib', /^python3(\.\d+)?$/),
    matching('/usr/local/lib', /^python3(\.\d+)?$/),
    matching('/usr/lib', /^go-\d[\d.]*$/),
    matching('/usr/share', /^go-\d[\d.]*$/),
    matching('/usr/lib/jvm', /./),
  ]);
  return [...fixed, ...versioned.flat()];
}

async function matching(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

/** The type declarations that come with the bundled TypeScript. */
export function bundledLibraries(): string[] {
  const require = createRequire(import.meta.url);
  const names = ['typescript', `@typescript/typescript-${machine}`];
  return names.flatMap((name) => {
    try {
      return [dirname(require.resolve(`${name}/package.json`))];
    } catch {
      return [];
    }
  });
}
