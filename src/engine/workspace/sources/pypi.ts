import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { listOf, recordOf, textOf } from '../dependencies/model.ts';
import { download, downloadText, withoutPassword } from './download.ts';
import type { SourceContext, SourceReader } from './model.ts';
import { unpack } from './unpack.ts';
import { newestVersion } from './versions.ts';

const publicIndex = 'https://pypi.org/simple';

/** The source archive of a release, which holds what wheels leave out: tests, C and Cython. Nothing of it is run, so pip is not asked. */
export const pypiSources: SourceReader = async ({ name, version, installedAt }, context) => {
  const plain = normalised(name);
  const installed = await installedVersion(plain, context);
  const wanted = version ?? installed?.version;
  const known = wanted === undefined ? undefined : await context.kept('pypi', plain, wanted);
  if (known !== undefined) return known;
  context.progress?.(`fetching ${name}`);
  const archives = await sourceArchives(plain, context);
  const release = wanted ?? newestVersion([...new Set(archives.map((each) => each.version))]);
  const archive = archives.find((each) => each.version === release);
  const where = installedAt ?? installed?.path;
  if (archive === undefined) throw noArchive(name, release, where, archives.length);
  const bytes = await download(archive.url, {
    signal: context.signal,
    ...(archive.sha256 === undefined ? {} : { hash: { algorithm: 'sha256', hex: archive.sha256 } }),
  });
  if (bytes === undefined) throw noArchive(name, release, where, 0);
  const isOther = installed !== undefined && installed.version !== archive.version;
  const notes = [
    ...(wanted === undefined ? ['Nothing here says which version is used; this is the newest.'] : []),
    ...(isOther ? [`The project has ${installed.version} installed.`] : []),
  ];
  return context.keep(
    {
      registry: 'pypi',
      name: plain,
      version: archive.version,
      kind: 'sdist',
      notes,
      ...(where === undefined || isOther ? {} : { installedAt: where }),
    },
    (folder) => unpack(bytes, archive.file, folder, context.signal),
  );
};

/** Names that differ in case, dots, dashes and underscores are one name. */
function normalised(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

interface SourceArchive {
  file: string;
  url: string;
  version: string;
  sha256?: string;
}

async function sourceArchives(name: string, context: SourceContext): Promise<SourceArchive[]> {
  const base = await indexAddress(context.project.env);
  const url = `${base}/${name}/`;
  const accept = 'application/vnd.pypi.simple.v1+json';
  const text = await downloadText(url, { accept, signal: context.signal });
  if (text === undefined)
    throw new ToolError('file_not_found', `There is no package ${name} at ${withoutPassword(base).url}.`);
  const files = text.trimStart().startsWith('{') ? filesInJson(text) : filesInHtml(text);
  return files.flatMap((file) => {
    const version = versionOf(file.file, name);
    return version === undefined ? [] : [{ ...file, url: new URL(file.url, url).href, version }];
  });
}

function filesInJson(text: string): Omit<SourceArchive, 'version'>[] {
  return listOf(recordOf(JSON.parse(text))['files']).flatMap((each) => {
    const entry = recordOf(each);
    const file = textOf(entry['filename']);
    const url = textOf(entry['url']);
    const sha256 = textOf(recordOf(entry['hashes'])['sha256']);
    return file === undefined || url === undefined ? [] : [{ file, url, ...(sha256 === undefined ? {} : { sha256 }) }];
  });
}

/** Indexes that speak only the older form of the protocol. */
function filesInHtml(text: string): Omit<SourceArchive, 'version'>[] {
  return [...text.matchAll(/<a\s[^>]*href="([^"#]+)(?:#sha256=([0-9a-f]{64}))?[^"]*"[^>]*>([^<]+)<\/a>/gi)].map(
    ([, url = '', sha256, file = '']) => ({ file: file.trim(), url, ...(sha256 === undefined ? {} : { sha256 }) }),
  );
}

function versionOf(file: string, name: string): string | undefined {
  const match = /^(.+)-([^-]+)\.(?:tar\.gz|tgz|zip)$/.exec(file);
  return match?.[1] !== undefined && normalised(match[1]) === name ? match[2] : undefined;
}

/** Of the person's own pip settings, where they name another one. */
async function indexAddress(env: NodeJS.ProcessEnv): Promise<string> {
  const home = env['HOME'] ?? '/';
  const files = [
    env['PIP_CONFIG_FILE'],
    join(home, '.config/pip/pip.conf'),
    join(home, '.pip/pip.conf'),
    '/etc/pip.conf',
  ];
  let address = env['PIP_INDEX_URL'];
  for (const file of files) {
    if (address !== undefined || file === undefined) continue;
    const text = await readFile(file, 'utf8').catch(() => '');
    address = /^\s*index[-_]url\s*=\s*(\S+)/m.exec(text)?.[1];
  }
  return (address ?? publicIndex).replace(/\/+$/, '');
}

/** What the project's own environment has. */
async function installedVersion(
  name: string,
  { project }: SourceContext,
): Promise<{ version: string; path: string } | undefined> {
  const environments = [project.env['VIRTUAL_ENV'], join(project.root, '.venv'), join(project.root, 'venv')];
  for (const environment of environments.filter((each) => each !== undefined)) {
    for (const python of await readdir(join(environment, 'lib')).catch(() => [])) {
      const packages = join(environment, 'lib', python, 'site-packages');
      for (const entry of await readdir(packages).catch(() => [])) {
        const match = /^(.+)-([^-]+)\.dist-info$/.exec(entry);
        if (match?.[1] === undefined || match[2] === undefined || normalised(match[1]) !== name) continue;
        return { version: match[2], path: packages };
      }
    }
  }
  return undefined;
}

function noArchive(
  name: string,
  version: string | undefined,
  installedAt: string | undefined,
  others: number,
): ToolError {
  return new ToolError(
    'file_not_found',
    `${name}${version === undefined ? '' : ` ${version}`} has no source archive in the index${others > 0 ? `; ${others} other releases have one` : ''}.`,
    { hint: installedAt === undefined ? undefined : `What is installed lies in ${installedAt}.` },
  );
}
