import { parse as parseJsonc } from 'jsonc-parser';
import { npmLockNames, npmResolver, type NpmResolver } from './npmLocks.ts';
import {
  folderOf,
  foldersUp,
  inFolder,
  recordOf,
  textOf,
  type Dependency,
  type EcosystemReader,
  type ReadText,
} from './model.ts';

const sections = {
  dependencies: 'runtime',
  devDependencies: 'dev',
  peerDependencies: 'peer',
  optionalDependencies: 'optional',
} as const;

export const npm: EcosystemReader = {
  ecosystem: 'npm',
  isManifest: (name) => name === 'package.json',
  read: async (manifest, read, files) => {
    const text = await read(manifest);
    if (text === undefined) return [];
    const content = recordOf(JSON.parse(text));
    const module = folderOf(manifest);
    const lock = await nearestLock(module, read, files);
    const found: Dependency[] = [];
    for (const [section, scope] of Object.entries(sections)) {
      for (const [name, declared] of Object.entries(recordOf(content[section]))) {
        const resolved = lock?.resolver.resolve(name, textOf(declared) ?? '', module);
        found.push({
          ecosystem: 'npm',
          name,
          declared: textOf(declared) ?? '*',
          ...(resolved === undefined ? await installed(name, module, read) : { resolved, lockFile: lock?.file }),
          scope,
          module,
          manifest,
          direct: true,
        });
      }
    }
    return found;
  },
  locked: async (files, read) => {
    const found: Dependency[] = [];
    for (const file of files) {
      const name = file.slice(file.lastIndexOf('/') + 1);
      const resolver = npmLockNames.includes(name) ? npmResolver(name, (await read(file)) ?? '') : undefined;
      for (const locked of resolver?.all() ?? [])
        found.push({
          ecosystem: 'npm',
          name: locked.name,
          resolved: locked.version,
          scope: locked.dev ? 'dev' : 'runtime',
          module: folderOf(file),
          manifest: file,
          lockFile: file,
          direct: false,
        });
    }
    return found;
  },
};

async function nearestLock(
  module: string,
  read: ReadText,
  files: ReadonlySet<string>,
): Promise<{ file: string; resolver: NpmResolver } | undefined> {
  for (const folder of foldersUp(module)) {
    for (const name of npmLockNames) {
      const file = inFolder(folder, name);
      if (!files.has(file)) continue;
      const resolver = npmResolver(name, (await read(file)) ?? '', folder);
      if (resolver !== undefined) return { file, resolver };
    }
  }
  return undefined;
}

/** Without a lock file, what lies in node_modules tells. */
async function installed(name: string, module: string, read: ReadText): Promise<Partial<Dependency>> {
  for (const folder of foldersUp(module)) {
    const file = inFolder(folder, `node_modules/${name}/package.json`);
    const text = await read(file);
    if (text === undefined) continue;
    const parsed: unknown = parseJsonc(text);
    const version = textOf(recordOf(parsed)['version']);
    if (version !== undefined) return { resolved: version, lockFile: inFolder(folder, 'node_modules') };
  }
  return {};
}
