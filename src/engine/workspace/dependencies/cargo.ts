import { parse as parseToml } from 'smol-toml';
import {
  folderOf,
  foldersUp,
  inFolder,
  listOf,
  recordOf,
  textOf,
  type Dependency,
  type EcosystemReader,
  type ReadText,
} from './model.ts';
import { isRecord } from '../../../base/text/records.ts';

const sections = { dependencies: 'runtime', 'dev-dependencies': 'dev', 'build-dependencies': 'build' } as const;

export const cargo: EcosystemReader = {
  ecosystem: 'cargo',
  isManifest: (name) => name === 'Cargo.toml',
  read: async (manifest, read, files) => {
    const text = await read(manifest);
    if (text === undefined) return [];
    const content = parseToml(text);
    const module = folderOf(manifest);
    const shared = await workspaceDependencies(module, read);
    const lock = await nearestLock(module, read, files);
    const tables = [content, ...Object.values(recordOf(content['target'])).map(recordOf)];
    const found: Dependency[] = [];
    for (const table of tables) {
      for (const [section, scope] of Object.entries(sections)) {
        for (const [alias, value] of Object.entries(recordOf(table[section]))) {
          const given = recordOf(value)['workspace'] === true ? shared[alias] : value;
          const name = textOf(recordOf(given)['package']) ?? alias;
          const declared = declaredVersion(given);
          const resolved = lock === undefined ? undefined : choose(lock.versions.get(name) ?? [], declared);
          found.push({
            ecosystem: 'cargo',
            name,
            declared,
            ...(resolved === undefined ? {} : { resolved, lockFile: lock?.file }),
            scope,
            module,
            manifest,
            direct: true,
          });
        }
      }
    }
    return found;
  },
  locked: async (files, read) => {
    const found: Dependency[] = [];
    for (const file of [...files].filter((path) => path === 'Cargo.lock' || path.endsWith('/Cargo.lock'))) {
      for (const [name, versions] of lockedVersions((await read(file)) ?? ''))
        for (const resolved of versions)
          found.push({
            ecosystem: 'cargo',
            name,
            resolved,
            scope: 'runtime',
            module: folderOf(file),
            manifest: file,
            lockFile: file,
            direct: false,
          });
    }
    return found;
  },
};

function declaredVersion(value: unknown): string {
  const table = recordOf(value);
  return textOf(value) ?? textOf(table['version']) ?? textOf(table['git']) ?? textOf(table['path']) ?? '*';
}

async function workspaceDependencies(module: string, read: ReadText): Promise<Record<string, unknown>> {
  for (const folder of foldersUp(module)) {
    const text = await read(inFolder(folder, 'Cargo.toml'));
    const workspace = text === undefined ? undefined : parseToml(text)['workspace'];
    if (isRecord(workspace)) return recordOf(workspace['dependencies']);
  }
  return {};
}

async function nearestLock(
  module: string,
  read: ReadText,
  files: ReadonlySet<string>,
): Promise<{ file: string; versions: Map<string, string[]> } | undefined> {
  for (const folder of foldersUp(module)) {
    const file = inFolder(folder, 'Cargo.lock');
    if (files.has(file)) return { file, versions: lockedVersions((await read(file)) ?? '') };
  }
  return undefined;
}

function lockedVersions(text: string): Map<string, string[]> {
  const versions = new Map<string, string[]>();
  for (const entry of listOf(parseToml(text)['package'])) {
    const { name, version } = recordOf(entry);
    if (typeof name === 'string' && typeof version === 'string')
      versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  return versions;
}

/** Several versions of a crate may be locked; the one that begins as the request does is meant. */
function choose(versions: readonly string[], declared: string): string | undefined {
  if (versions.length <= 1) return versions[0];
  const wanted = declared.replace(/^[\^~=]\s*/, '').split('.');
  const shared = (version: string) => version.split('.').findIndex((part, index) => part !== wanted[index]);
  const rank = (version: string) => (shared(version) < 0 ? 99 : shared(version));
  return [...versions].sort((a, b) => rank(b) - rank(a))[0];
}
