import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { isInside } from '../../../base/paths.ts';
import { scratchFolder } from '../../../base/scratchFolders.ts';
import { listOf, recordOf, textOf } from '../dependencies/model.ts';
import { filesOf } from './filesOf.ts';
import type { PackageSources, SourceContext, SourceReader, WantedPackage } from './model.ts';
import { unpack, writeSources, type SourceFile } from './unpack.ts';

const maxMapBytes = 50 * 1024 * 1024;

/**
 * What is installed comes first: its source maps hold the sources, or point to sources that came along. A package that is not
 * installed, or not in that version, is fetched with the person's own npm; what its archive holds is all that npm has.
 */
export const npmSources: SourceReader = async (wanted, context) => {
  const installed = await installedPackage(wanted, context);
  const isRight = installed !== undefined && (wanted.version ?? installed.version) === installed.version;
  if (!isRight) return packed(wanted, context, installed?.version);
  const known = await context.kept('npm', wanted.name, installed.version);
  if (known !== undefined) return { ...known, installedAt: installed.path };
  const { sources, present } = await mappedSources(installed.path);
  const about = {
    registry: 'npm',
    name: wanted.name,
    version: installed.version,
    installedAt: installed.path,
    ...(installed.repository === undefined ? {} : { repository: installed.repository }),
  } as const;
  if (sources.length > 0)
    return context.keep({ ...about, kind: 'source maps', notes: [] }, (folder) =>
      writeSources(sources, folder, context.signal),
    );
  const why =
    present > 0
      ? 'The sources that its source maps name came with the package.'
      : 'It has no source maps with sources; what is installed is all that was published.';
  return {
    ...about,
    kind: 'package',
    path: installed.path,
    files: (await filesOf(installed.path)).length,
    notes: [why],
  };
};

interface InstalledPackage {
  path: string;
  version: string;
  repository?: string;
}

async function installedPackage({ name, installedAt }: WantedPackage, { project }: SourceContext) {
  const places = installedAt === undefined ? [join(project.root, 'node_modules', name)] : [installedAt];
  for (const place of places) {
    const found = await packageAt(place, project.root);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function packageAt(place: string, root: string): Promise<InstalledPackage | undefined> {
  try {
    const path = await realpath(place);
    // A link out of the project is somebody's own folder, not an installed package.
    if (!isInside(root, path)) return undefined;
    const manifest = recordOf(JSON.parse(await readFile(join(path, 'package.json'), 'utf8')));
    const version = textOf(manifest['version']);
    if (version === undefined) return undefined;
    const repository = textOf(manifest['repository']) ?? textOf(recordOf(manifest['repository'])['url']);
    return { path, version, ...(repository === undefined ? {} : { repository }) };
  } catch {
    return undefined;
  }
}

/** The sources in the maps of a package, by their places in it. `present`: maps whose sources lie beside them. */
async function mappedSources(folder: string): Promise<{ sources: SourceFile[]; present: number }> {
  const sources = new Map<string, SourceFile>();
  const files = new Set(await filesOf(folder));
  let present = 0;
  for (const file of files) {
    if (!file.endsWith('.map')) continue;
    for (const { name, content } of await sourcesInMap(folder, file)) {
      if (files.has(name)) present++;
      else if (content !== undefined && !sources.has(name)) sources.set(name, textFile(name, content));
    }
  }
  return { sources: [...sources.values()], present };
}

async function sourcesInMap(folder: string, file: string): Promise<{ name: string; content?: string }[]> {
  try {
    const bytes = await readFile(join(folder, file));
    if (bytes.length > maxMapBytes) return [];
    const map = recordOf(JSON.parse(bytes.toString('utf8')));
    const contents = listOf(map['sourcesContent']);
    const sourceRoot = textOf(map['sourceRoot']) ?? '';
    return listOf(map['sources']).flatMap((source, index) => {
      const given = textOf(source);
      if (given === undefined || given.includes('\0')) return [];
      return [
        {
          name: placeInPackage(posix.join(posix.dirname(file), sourceRoot, given), given),
          content: textOf(contents[index]),
        },
      ];
    });
  } catch {
    return [];
  }
}

/** `webpack://name/./src/a.ts` is `src/a.ts`; what lay above the package when it was built lies at its top here. */
function placeInPackage(joined: string, given: string): string {
  const withoutScheme = /^[a-z][\w+.-]*:\/\/[^/]*\/(.*)$/i.exec(given)?.[1];
  return posix
    .normalize(withoutScheme ?? joined)
    .replace(/^(?:\.\.\/)+/, '')
    .replace(/^\/+/, '')
    .replace(/[?].*$/, '');
}

function textFile(name: string, content: string): SourceFile {
  const bytes = Buffer.from(content, 'utf8');
  return { name, size: bytes.length, read: async () => bytes };
}

async function packed(
  { name, version }: WantedPackage,
  context: SourceContext,
  installedVersion: string | undefined,
): Promise<PackageSources> {
  const known = version === undefined ? undefined : await context.kept('npm', name, version);
  if (known !== undefined) return known;
  context.progress?.(`fetching ${name}`);
  const folder = await scratchFolder('packages');
  try {
    const spec = `${name}@${version ?? 'latest'}`;
    const { code, stdout, stderr } = await context.run([
      ...['npm', 'pack', spec, '--json', '--ignore-scripts', '--no-update-notifier', '--loglevel=error'],
      ...['--pack-destination', folder],
    ]);
    if (code !== 0) throw notPacked(spec, stderr);
    const [archive = ''] = await readdir(folder);
    const packedVersion = versionIn(stdout) ?? version;
    if (archive === '' || packedVersion === undefined) throw notPacked(spec, stdout);
    const bytes = await readFile(join(folder, archive));
    const which =
      version !== undefined
        ? installedVersion === undefined
          ? []
          : [`The project has ${installedVersion} installed.`]
        : ['It is not installed here; this is the newest version.'];
    return await context.keep(
      { registry: 'npm', name, version: packedVersion, kind: 'package', notes: which },
      async (target) => {
        const files = await unpack(bytes, archive, target, context.signal);
        const { sources } = await mappedSources(target);
        return files + (await writeSources(sources, target, context.signal));
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function versionIn(json: string): string | undefined {
  try {
    return textOf(recordOf(listOf(JSON.parse(json))[0])['version']);
  } catch {
    return undefined;
  }
}

function notPacked(spec: string, output: string): ToolError {
  const isUnknown = /E404|ETARGET|notarget|No matching version/i.test(output);
  if (isUnknown) return new ToolError('file_not_found', `npm has no ${spec}.`);
  return new ToolError('command_failed', `npm could not fetch ${spec}: ${output.trim().slice(0, 400)}`);
}

/** The package whose files lie at a path. */
export function npmPackageAt(path: string): { name: string; installedAt: string } | undefined {
  const match = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/@.][^/]*))(?:\/|$)/.exec(path);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { installedAt: match[1], name: match[2] };
}
