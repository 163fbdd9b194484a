import { ToolError } from '../../../base/errors.ts';
import { listDependencies } from '../dependencies/listDependencies.ts';
import type { Dependency, Ecosystem } from '../dependencies/model.ts';
import type { Project } from '../project.ts';
import { registries, type Registry, type WantedPackage } from './model.ts';
import { checkNames } from './packageNames.ts';
import { npmPackageAt } from './npm.ts';

const registryOf: Readonly<Record<Ecosystem, Registry>> = {
  npm: 'npm',
  python: 'pypi',
  go: 'go',
  cargo: 'crates',
  maven: 'maven',
  gradle: 'maven',
};

/** `pypi:six`, or a bare name that the project's manifests or lock files know. */
export async function wantedPackage(
  project: Project,
  given: string,
  version: string | undefined,
  signal?: AbortSignal,
): Promise<WantedPackage> {
  const [, prefix, bare = given] = /^(\w+):(?!\/)(.+)$/.exec(given) ?? [];
  const registry = registries.find((each) => each === prefix);
  const name = registry === undefined ? given : bare;
  const { value } = await listDependencies(project, { includeTransitive: true, signal });
  const known = value.dependencies.filter(
    (each) => isSameName(each, name) && (registry === undefined || registryOf[each.ecosystem] === registry),
  );
  const found = [...new Set(known.map((each) => registryOf[each.ecosystem]))];
  const [only] = found;
  const chosen =
    registry ?? (found.length === 1 ? only : undefined) ?? (/^[\w.-]+:[\w.-]+$/.test(name) ? 'maven' : undefined);
  if (chosen === undefined) throw unclear(name, found);
  const used = version ?? usedVersion(known);
  const exact = known[0]?.name ?? name;
  const wanted = { registry: chosen, name: exact, ...(used === undefined ? {} : { version: used }) };
  checkNames(wanted);
  return wanted;
}

/** The package that a file of a library belongs to. */
export function packageOfFile(path: string): WantedPackage | undefined {
  const npm = npmPackageAt(path);
  if (npm !== undefined) return { registry: 'npm', ...npm };
  const go = /\/pkg\/mod\/([^@]+)@([^/]+)\//.exec(path);
  if (go?.[1] !== undefined && go[2] !== undefined)
    return {
      registry: 'go',
      name: go[1].replace(/!([a-z])/g, (_whole, letter: string) => letter.toUpperCase()),
      version: go[2],
    };
  const crate = /\/registry\/src\/[^/]+\/([\w-]+?)-(\d[^/]*)\//.exec(path);
  if (crate?.[1] !== undefined && crate[2] !== undefined)
    return { registry: 'crates', name: crate[1], version: crate[2] };
  const maven = /\/repository\/(.+)\/([^/]+)\/([^/]+)\/[^/]+\.jar(?:!|$)/.exec(path);
  if (maven?.[1] !== undefined && maven[2] !== undefined && maven[3] !== undefined)
    return { registry: 'maven', name: `${maven[1].replaceAll('/', '.')}:${maven[2]}`, version: maven[3] };
  const python = /^(.*\/(?:site|dist)-packages)\/([^/]+?)(?:\.py)?(?:\/|$)/.exec(path);
  if (python?.[1] !== undefined && python[2] !== undefined)
    return { registry: 'pypi', name: python[2], installedAt: python[1] };
  return undefined;
}

function isSameName({ ecosystem, name }: Dependency, wanted: string): boolean {
  if (ecosystem === 'python')
    return name.replace(/[-_.]+/g, '-').toLowerCase() === wanted.replace(/[-_.]+/g, '-').toLowerCase();
  return name === wanted;
}

/** What a lock file resolves, or a manifest demands exactly. */
function usedVersion(known: readonly Dependency[]): string | undefined {
  const versions = known.map(
    ({ resolved, declared }) => resolved ?? /^(?:==)?\s*v?(\d[\w.+-]*)$/.exec(declared ?? '')?.[1],
  );
  return versions.find((each) => each !== undefined);
}

function unclear(name: string, found: readonly Registry[]): ToolError {
  return new ToolError(
    'invalid_arguments',
    found.length === 0
      ? `No manifest or lock file of the project names the package "${name}".`
      : `"${name}" is a package of ${found.join(' and ')}.`,
    { hint: `Say which: ${(found.length === 0 ? registries : found).map((each) => `"${each}:${name}"`).join(', ')}.` },
  );
}
