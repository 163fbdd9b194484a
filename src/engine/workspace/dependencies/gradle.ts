import { parse as parseToml } from 'smol-toml';
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

/** Build scripts are programs and are never run: what stands in them in the usual forms is read as text. */
export const gradle: EcosystemReader = {
  ecosystem: 'gradle',
  isManifest: (name) => name === 'build.gradle' || name === 'build.gradle.kts',
  read: async (manifest, read, files) => {
    const text = await read(manifest);
    if (text === undefined) return [];
    const module = folderOf(manifest);
    const catalog = await versionCatalog(module, read, files);
    const lock = await lockedVersions(inFolder(module, 'gradle.lockfile'), read, files);
    return requests(withoutComments(text), catalog).map(({ name, declared, configuration }): Dependency => {
      const locked = lock.get(name);
      const exact = declared !== undefined && /^\d[\w.-]*$/.test(declared);
      return {
        ecosystem: 'gradle',
        name,
        declared: declared ?? 'managed',
        ...(locked !== undefined
          ? { resolved: locked, lockFile: inFolder(module, 'gradle.lockfile') }
          : exact
            ? { resolved: declared, lockFile: manifest }
            : {}),
        scope: scopeOf(configuration),
        module,
        manifest,
        direct: true,
      };
    });
  },
  locked: async (files, read) => {
    const found: Dependency[] = [];
    for (const file of [...files].filter((path) => path === 'gradle.lockfile' || path.endsWith('/gradle.lockfile'))) {
      for (const [name, resolved] of await lockedVersions(file, read, files))
        found.push({
          ecosystem: 'gradle',
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

interface Request {
  name: string;
  declared: string | undefined;
  configuration: string;
}

const configurations =
  '(api|implementation|compileOnly|compileOnlyApi|runtimeOnly|annotationProcessor|kapt|ksp|classpath|(?:androidTest|test|debug|release)\\w*)';

function requests(text: string, catalog: ReadonlyMap<string, { name: string; version?: string }>): Request[] {
  const found: Request[] = [];
  const coordinates = new RegExp(
    `\\b${configurations}\\s*\\(?\\s*(?:platform\\s*\\(\\s*)?['"]([^'":\\s]+):([^'":\\s]+)(?::([^'"@\\s]+))?[^'"]*['"]`,
    'g',
  );
  for (const [, configuration = '', group = '', artifact = '', version] of text.matchAll(coordinates))
    found.push({ name: `${group}:${artifact}`, declared: version, configuration });
  const named = new RegExp(
    `\\b${configurations}\\s*\\(?\\s*group\\s*[:=]\\s*['"]([^'"]+)['"]\\s*,\\s*name\\s*[:=]\\s*['"]([^'"]+)['"](?:\\s*,\\s*version\\s*[:=]\\s*['"]([^'"]+)['"])?`,
    'g',
  );
  for (const [, configuration = '', group = '', artifact = '', version] of text.matchAll(named))
    found.push({ name: `${group}:${artifact}`, declared: version, configuration });
  const fromCatalog = new RegExp(`\\b${configurations}\\s*\\(?\\s*(?:platform\\s*\\(\\s*)?libs\\.([\\w.]+)`, 'g');
  for (const [, configuration = '', accessor = ''] of text.matchAll(fromCatalog)) {
    const entry = catalog.get(accessor.replace(/\.get$/, ''));
    if (entry !== undefined) found.push({ name: entry.name, declared: entry.version, configuration });
  }
  return found;
}

function scopeOf(configuration: string): string {
  if (/^(androidTest|test)/.test(configuration)) return 'test';
  if (/^(annotationProcessor|kapt|ksp|classpath|compileOnly)/.test(configuration)) return 'build';
  return 'runtime';
}

/** `gradle/libs.versions.toml`: aliases such as `commons-lang3`, reached in scripts as `libs.commons.lang3`. */
async function versionCatalog(
  module: string,
  read: ReadText,
  files: ReadonlySet<string>,
): Promise<Map<string, { name: string; version?: string }>> {
  const entries = new Map<string, { name: string; version?: string }>();
  const file = foldersUp(module)
    .map((folder) => inFolder(folder, 'gradle/libs.versions.toml'))
    .find((candidate) => files.has(candidate));
  if (file === undefined) return entries;
  const content = parseToml((await read(file)) ?? '');
  const versions = recordOf(content['versions']);
  for (const [alias, value] of Object.entries(recordOf(content['libraries']))) {
    const table = recordOf(value);
    const [group, artifact, inline] = (textOf(value) ?? textOf(table['module']) ?? '').split(':');
    const name =
      artifact === undefined
        ? `${textOf(table['group']) ?? '?'}:${textOf(table['name']) ?? '?'}`
        : `${group}:${artifact}`;
    const reference = textOf(recordOf(table['version'])['ref']);
    const version =
      inline ?? textOf(table['version']) ?? (reference === undefined ? undefined : textOf(versions[reference]));
    entries.set(alias.replaceAll(/[-_]/g, '.'), version === undefined ? { name } : { name, version });
  }
  return entries;
}

async function lockedVersions(file: string, read: ReadText, files: ReadonlySet<string>): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  if (!files.has(file)) return versions;
  for (const line of ((await read(file)) ?? '').split(/\r?\n/)) {
    const match = /^([^#:\s]+:[^:\s]+):([^=\s]+)=/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) versions.set(match[1], match[2]);
  }
  return versions;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[\s;{}])\/\/.*$/gm, '$1');
}
