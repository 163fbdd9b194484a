import { errorMessage, type Degraded } from '../../../base/errors.ts';
import { listFiles } from '../fileListing.ts';
import type { Project } from '../project.ts';
import { readProjectText } from '../projectText.ts';
import { isForeign } from '../structure.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import { gradle } from './gradle.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { python } from './python.ts';
import type { Dependency, Ecosystem, EcosystemReader, ReadText } from './model.ts';

const readers: readonly EcosystemReader[] = [npm, python, go, cargo, maven, gradle];

interface DependencyRequest {
  ecosystem?: Ecosystem;
  /** Folder of a module, relative to the root. */
  module?: string;
  /** Also what dependencies bring along, as far as lock files tell. */
  includeTransitive?: boolean;
  signal?: AbortSignal;
}

interface DependencyList {
  dependencies: Dependency[];
  manifests: string[];
}

const manifestGlobs = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'pyproject.toml',
  'setup.cfg',
  'Pipfile',
  'Pipfile.lock',
  '{requirements,constraints}*.{txt,in}',
  '{uv,poetry,pdm}.lock',
  'pylock.toml',
  'go.mod',
  'Cargo.{toml,lock}',
  'pom.xml',
  'build.gradle{,.kts}',
  'gradle.lockfile',
  'libs.versions.toml',
  '!**/node_modules/**',
];

/** What the manifests declare and the lock files resolve. Nothing is run: no package manager, no build script. */
export async function listDependencies(
  project: Project,
  request: DependencyRequest = {},
): Promise<Degraded<DependencyList>> {
  const listed = await listFiles(project, { globs: manifestGlobs, signal: request.signal });
  // Lock files are often ignored by git in libraries, and tell as much when they are.
  const ignored = await lockFilesAtRoot(project);
  const files: ReadonlySet<string> = new Set([...listed.files, ...ignored]);
  const read = cachedReader(project);
  const problems: string[] = [];
  const dependencies: Dependency[] = [];
  const manifests: string[] = [];
  for (const reader of readers.filter(({ ecosystem }) => (request.ecosystem ?? ecosystem) === ecosystem)) {
    for (const manifest of inOrder(files)) {
      if (!reader.isManifest(manifest.slice(manifest.lastIndexOf('/') + 1)) || isForeign(manifest)) continue;
      manifests.push(manifest);
      dependencies.push(...(await attempt(manifest, problems, () => reader.read(manifest, read, files))));
    }
    if (request.includeTransitive && reader.locked !== undefined) {
      const direct = new Set(
        dependencies.filter((known) => known.direct).map((known) => `${known.name}@${known.resolved ?? ''}`),
      );
      const locked = await attempt('lock files', problems, async () => (await reader.locked?.(files, read)) ?? []);
      dependencies.push(...unique(locked).filter((known) => !direct.has(`${known.name}@${known.resolved ?? ''}`)));
    }
  }
  const wanted =
    request.module === undefined ? dependencies : dependencies.filter(({ module }) => module === request.module);
  return { value: { dependencies: wanted, manifests }, problems };
}

/** The root's own manifests first, then those of folders in it: what is cut off is what matters least. */
function inOrder(files: Iterable<string>): string[] {
  const depth = (path: string) => path.split('/').length;
  return [...files].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** One manifest that cannot be understood takes nothing from the others. */
async function attempt(file: string, problems: string[], work: () => Promise<Dependency[]>): Promise<Dependency[]> {
  try {
    return await work();
  } catch (error) {
    problems.push(`${file}: ${(errorMessage(error).split('\n')[0] ?? '').slice(0, 200)}`);
    return [];
  }
}

function unique(dependencies: readonly Dependency[]): Dependency[] {
  return [
    ...new Map(
      dependencies.map((known) => [`${known.lockFile ?? ''} ${known.name}@${known.resolved ?? ''}`, known]),
    ).values(),
  ];
}

async function lockFilesAtRoot(project: Project): Promise<string[]> {
  const names = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'uv.lock', 'poetry.lock', 'Cargo.lock'];
  const present = await Promise.all(
    names.map(async (name) => ((await readProjectText(project, name)) === undefined ? [] : [name])),
  );
  return present.flat();
}

/** A lock file is asked for once per module, and may be large. */
function cachedReader(project: Project): ReadText {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const text = known.get(path) ?? readProjectText(project, path);
    known.set(path, text);
    return text;
  };
}
