import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { recordOf, textOf } from '../dependencies/model.ts';
import type { Project } from '../project.ts';
import { openForReading } from '../safeOpen.ts';
import type { WantedPackage } from '../sources/model.ts';

/** What an installed package says of itself. */
interface LibraryDocs {
  name: string;
  version?: string;
  summary?: string;
  readme?: string;
  /** The file that the text is from. */
  source?: string;
}

const maxReadmeBytes = 2 * 1024 * 1024;

/** From the package as it is installed, or from sources that were fetched: never from the network. */
export async function libraryDocs(
  project: Project,
  wanted: WantedPackage,
  fetched: string | undefined,
): Promise<LibraryDocs> {
  const installed = wanted.registry === 'pypi' ? await pythonDocs(project, wanted) : await folderDocs(project, wanted);
  const found = installed ?? (fetched === undefined ? undefined : await docsIn(fetched, wanted));
  if (found !== undefined) return found;
  const spec = JSON.stringify({ package: `${wanted.registry}:${wanted.name}` });
  throw new ToolError('file_not_found', `${wanted.name} is not installed where it could be read.`, {
    hint: advise`${step('downloadSources')} ${spec} fetches it; then ask again.`,
  });
}

async function folderDocs(project: Project, wanted: WantedPackage): Promise<LibraryDocs | undefined> {
  for (const place of await foldersOf(project, wanted)) {
    const folder = await realpath(place).catch(() => undefined);
    const docs = folder === undefined ? undefined : await docsIn(folder, wanted);
    if (docs !== undefined) return docs;
  }
  return undefined;
}

async function foldersOf(project: Project, { registry, name, version, installedAt }: WantedPackage): Promise<string[]> {
  const home = project.env['HOME'] ?? '/';
  if (installedAt !== undefined) return [installedAt];
  if (registry === 'npm') {
    const folder = await realpath(join(project.root, 'node_modules', name)).catch(() => undefined);
    return folder === undefined || !isInside(project.root, folder) ? [] : [folder];
  }
  if (version === undefined) return [];
  if (registry === 'go') {
    const escaped = name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
    const cache = project.env['GOMODCACHE'] ?? join(project.env['GOPATH'] ?? join(home, 'go'), 'pkg', 'mod');
    return [join(cache, `${escaped}@${version}`)];
  }
  if (registry !== 'crates') return [];
  const sources = join(project.env['CARGO_HOME'] ?? join(home, '.cargo'), 'registry', 'src');
  const registries = await readdir(sources).catch(() => []);
  return registries.map((each) => join(sources, each, `${name}-${version}`));
}

async function docsIn(folder: string, { name, version }: WantedPackage): Promise<LibraryDocs | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  const file = names.find((each) => /^readme(\.(md|markdown|rst|txt))?$/i.test(each));
  const readme = file === undefined ? undefined : await smallText(join(folder, file));
  const manifest = names.includes('package.json')
    ? recordOf(parsed(await smallText(join(folder, 'package.json'))))
    : {};
  const summary = textOf(manifest['description']);
  const known = textOf(manifest['version']) ?? version;
  return {
    name,
    ...(known === undefined ? {} : { version: known }),
    ...(summary === undefined ? {} : { summary }),
    ...(readme === undefined || file === undefined ? {} : { readme, source: join(folder, file) }),
  };
}

/** Python packages carry their README in their metadata. */
async function pythonDocs(project: Project, { name, installedAt }: WantedPackage): Promise<LibraryDocs | undefined> {
  const plain = (text: string) => text.toLowerCase().replace(/[-_.]+/g, '-');
  for (const place of await sitePackages(project, installedAt)) {
    const packages = await realpath(place).catch(() => place);
    const entries = await readdir(packages).catch(() => []);
    for (const entry of entries.filter((each) => each.endsWith('.dist-info'))) {
      const [own = ''] = entry.split('-');
      const isNamed = plain(own) === plain(name);
      if (!isNamed && !(await topLevel(join(packages, entry))).includes(name)) continue;
      const source = join(packages, entry, 'METADATA');
      const text = await smallText(source);
      if (text === undefined) continue;
      const [head = '', ...body] = text.split(/\r?\n\r?\n/);
      const field = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(head)?.[1]?.trim();
      const readme = body.join('\n\n').trim();
      return {
        name: field('Name') ?? name,
        version: field('Version'),
        summary: field('Summary'),
        ...(readme === '' ? {} : { readme, source }),
      };
    }
  }
  return undefined;
}

async function topLevel(info: string): Promise<string[]> {
  return ((await smallText(join(info, 'top_level.txt'))) ?? '').split(/\s+/);
}

async function sitePackages(project: Project, installedAt: string | undefined): Promise<string[]> {
  if (installedAt !== undefined) return [installedAt];
  const environments = [project.env['VIRTUAL_ENV'], join(project.root, '.venv'), join(project.root, 'venv')];
  const found = await Promise.all(
    environments
      .filter((each) => each !== undefined)
      .map(async (environment) => {
        const versions = await readdir(join(environment, 'lib')).catch(() => []);
        return versions.map((each) => join(environment, 'lib', each, 'site-packages'));
      }),
  );
  return found.flat();
}

/** Only a file that lies there itself: a package could have a link in its place to anything. */
async function smallText(path: string): Promise<string | undefined> {
  try {
    const file = await openForReading([dirname(path)], path);
    try {
      return (await file.stat()).size > maxReadmeBytes ? undefined : await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
