import { access, constants, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { FindContext, Finder } from './model.ts';

/** Programs of these names on PATH. Relative entries are not followed, nor entries inside a project nobody has trusted. */
export function onPath(...names: string[]): Finder {
  return { source: 'path', paths: (context) => programsOnPath(names, context) };
}

/** In our cache; one `*` per segment is allowed. */
export function inCache(...entries: string[]): Finder {
  return {
    source: 'cache',
    paths: async ({ installed }) => {
      if (installed === undefined) return [];
      return (await Promise.all(entries.map((entry) => expand(join(installed, entry))))).flat();
    },
  };
}

/** Places inside the project. What lies there was written by whoever wrote the project, so only a trusted one is used. */
export function inProject(...entries: string[]): Finder {
  return {
    source: 'project',
    paths: ({ project }) => (project?.trusted === true ? entries.map((entry) => join(project.root, entry)) : []),
  };
}

/** Below the home directory; one `*` per segment is allowed, and of several matches the highest version comes first. */
export function inHome(...patterns: string[]): Finder {
  return {
    source: 'well-known',
    paths: async ({ env }) => {
      const home = env['HOME'];
      if (home === undefined) return [];
      return (await Promise.all(patterns.map((pattern) => expand(join(home, pattern))))).flat();
    },
  };
}

export function atPlaces(...patterns: string[]): Finder {
  return { source: 'well-known', paths: async () => (await Promise.all(patterns.map(expand))).flat() };
}

/** The folders where VS Code and its relatives keep their extensions. */
export function inEditorExtensions(...patterns: string[]): Finder {
  const roots = ['.vscode', '.vscode-server', '.vscode-oss', '.cursor', '.cursor-server', '.windsurf'];
  return inHome(...roots.flatMap((root) => patterns.map((pattern) => join(root, 'extensions', pattern))));
}

export async function programsOnPath(names: readonly string[], context: FindContext): Promise<string[]> {
  const { project } = context;
  const folders = (context.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => project === undefined || project.trusted || !isInside(project.root, folder));
  // Folders that are links to one another (/bin, /usr/bin) would name the same program twice.
  const found = new Map<string, string>();
  for (const name of names) {
    for (const folder of new Set(folders)) {
      const path = join(folder, name);
      if (!(await isExecutable(path))) continue;
      const real = join(await realpath(folder), name);
      if (!found.has(real)) found.set(real, path);
    }
  }
  return [...found.values()];
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}

/** The version in the package.json nearest to a script, its real place followed. */
export async function packageVersion(script: string): Promise<string | undefined> {
  let folder = dirname(await realpath(script));
  for (;;) {
    try {
      const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
    } catch {
      // None here: look further up.
    }
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The places a pattern names; without a `*` the one it is, whether it exists or not. */
export async function expand(pattern: string): Promise<string[]> {
  const [head = '', ...rest] = pattern.split('/');
  let places = [head === '' ? '/' : head];
  for (const segment of rest) {
    if (!segment.includes('*')) {
      places = places.map((place) => join(place, segment));
      continue;
    }
    const [before = '', after = ''] = segment.split('*');
    const lists = await Promise.all(places.map(async (place) => ({ place, names: await namesIn(place) })));
    places = lists.flatMap(({ place, names }) =>
      names
        .filter((name) => name.startsWith(before) && name.endsWith(after))
        .sort((a, b) => compareVersions(b, a))
        .map((name) => join(place, name)),
    );
  }
  return places;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/** Compares the numbers in two texts, in order: `1.10.2` is above `1.9`, `python3.12` above `python3.9`. */
export function compareVersions(a: string, b: string): number {
  const left = a.match(/\d+/g) ?? [];
  const right = b.match(/\d+/g) ?? [];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = Number(left[i] ?? 0) - Number(right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
