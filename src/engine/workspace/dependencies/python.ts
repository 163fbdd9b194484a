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

const lockNames = ['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml'];

export const python: EcosystemReader = {
  ecosystem: 'python',
  isManifest: (name) =>
    name === 'pyproject.toml' ||
    name === 'setup.cfg' ||
    name === 'Pipfile' ||
    /^(requirements|constraints)[\w.-]*\.(txt|in)$/.test(name),
  read: async (manifest, read, files) => {
    const text = await read(manifest);
    if (text === undefined) return [];
    const module = folderOf(manifest);
    const requested = requestsOf(manifest, text);
    const lock = await nearestLock(module, read, files);
    return requested.map(({ name, declared, scope }) => {
      const pinned = /^===?\s*([^\s,;*]+)$/.exec(declared)?.[1];
      const locked = lock?.versions.get(normalised(name));
      return {
        ecosystem: 'python',
        name,
        declared: declared === '' ? '*' : declared,
        ...(locked !== undefined
          ? { resolved: locked, lockFile: lock?.file }
          : pinned === undefined
            ? {}
            : { resolved: pinned, lockFile: manifest }),
        scope,
        module,
        manifest,
        direct: true,
      };
    });
  },
  locked: async (files, read) => {
    const found: Dependency[] = [];
    for (const file of [...files].filter((path) => lockNames.includes(path.slice(path.lastIndexOf('/') + 1)))) {
      for (const [name, resolved] of lockedVersions(file, (await read(file)) ?? ''))
        found.push({
          ecosystem: 'python',
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
  declared: string;
  scope: string;
}

function requestsOf(manifest: string, text: string): Request[] {
  const name = manifest.slice(manifest.lastIndexOf('/') + 1);
  if (name === 'pyproject.toml') return fromPyproject(parseToml(text));
  if (name === 'Pipfile') return fromPipfile(parseToml(text));
  if (name === 'setup.cfg') return fromSetupCfg(text);
  const scope = /dev|test|lint|doc/.exec(name)?.[0] ?? 'runtime';
  return text.split(/\r?\n/).flatMap((line) => requirement(line, scope));
}

/** One line of PEP 508: `name[extra]>=1,<2 ; marker`. Options and URLs of requirement files are no requests. */
function requirement(line: string, scope: string): Request[] {
  const plain = line
    .replace(/(^|\s)#.*$/, '')
    .replace(/\\$/, '')
    .replace(/\s--hash=\S+/g, '')
    .trim();
  const match = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(\S+)|\(?([<>=!~][^;()]*)\)?)?\s*(?:;.*)?$/.exec(
    plain,
  );
  if (match?.[1] === undefined || plain.startsWith('-')) return [];
  return [{ name: match[1], declared: (match[2] ?? match[3] ?? '').trim(), scope }];
}

function fromPyproject(content: Record<string, unknown>): Request[] {
  const project = recordOf(content['project']);
  const lines = (list: unknown, scope: string) =>
    listOf(list).flatMap((item) => (typeof item === 'string' ? requirement(item, scope) : []));
  const groups = (table: unknown) => Object.entries(recordOf(table)).flatMap(([group, list]) => lines(list, group));
  const poetry = recordOf(recordOf(content['tool'])['poetry']);
  const poetryGroups = Object.entries(recordOf(poetry['group'])).flatMap(([group, table]) =>
    fromTable(recordOf(table)['dependencies'], group),
  );
  return [
    ...lines(project['dependencies'], 'runtime'),
    ...groups(project['optional-dependencies']),
    ...groups(content['dependency-groups']),
    ...lines(recordOf(recordOf(content['tool'])['uv'])['dev-dependencies'], 'dev'),
    ...fromTable(poetry['dependencies'], 'runtime').filter(({ name }) => name !== 'python'),
    ...fromTable(poetry['dev-dependencies'], 'dev'),
    ...poetryGroups,
    ...lines(recordOf(content['build-system'])['requires'], 'build'),
  ];
}

function fromPipfile(content: Record<string, unknown>): Request[] {
  return [...fromTable(content['packages'], 'runtime'), ...fromTable(content['dev-packages'], 'dev')];
}

/** `name = "^1.0"` or `name = { version = "^1.0", … }`. */
function fromTable(table: unknown, scope: string): Request[] {
  return Object.entries(recordOf(table)).map(([name, value]) => {
    const version = textOf(value) ?? textOf(recordOf(value)['version']);
    const source = textOf(recordOf(value)['git']) ?? textOf(recordOf(value)['path']) ?? textOf(recordOf(value)['url']);
    return { name, declared: version ?? source ?? '*', scope };
  });
}

function fromSetupCfg(text: string): Request[] {
  const found: Request[] = [];
  let section = '';
  let key = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[([^\]]+)\]/.exec(line)?.[1];
    const entry = /^([\w.-]+)\s*=\s*(.*)$/.exec(line);
    let rest = line;
    if (header !== undefined) section = header;
    if (entry !== null) [, key = '', rest = ''] = entry;
    else if (!/^\s/.test(line)) continue;
    if (section === 'options' && key === 'install_requires') found.push(...requirement(rest, 'runtime'));
    if (section === 'options.extras_require') found.push(...requirement(rest, key));
  }
  return found;
}

async function nearestLock(
  module: string,
  read: ReadText,
  files: ReadonlySet<string>,
): Promise<{ file: string; versions: Map<string, string> } | undefined> {
  for (const folder of foldersUp(module)) {
    for (const name of lockNames) {
      const file = inFolder(folder, name);
      if (files.has(file)) return { file, versions: lockedVersions(file, (await read(file)) ?? '') };
    }
  }
  return undefined;
}

function lockedVersions(file: string, text: string): Map<string, string> {
  const versions = new Map<string, string>();
  if (file.endsWith('Pipfile.lock')) {
    const content = recordOf(JSON.parse(text));
    for (const section of ['default', 'develop'])
      for (const [name, entry] of Object.entries(recordOf(content[section])))
        versions.set(normalised(name), (textOf(recordOf(entry)['version']) ?? '').replace(/^==/, ''));
    return versions;
  }
  const content = parseToml(text);
  for (const entry of [...listOf(content['package']), ...listOf(content['packages'])]) {
    if (!isRecord(entry)) continue;
    const [name, version] = [textOf(entry['name']), textOf(entry['version'])];
    if (name !== undefined && version !== undefined) versions.set(normalised(name), version);
  }
  return versions;
}

/** Names that differ only in case and in `-`, `_`, `.` are the same package. */
function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
