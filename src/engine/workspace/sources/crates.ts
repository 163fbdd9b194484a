import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { recordOf, textOf } from '../dependencies/model.ts';
import { download, downloadText } from './download.ts';
import { filesOf } from './filesOf.ts';
import type { PackageSources, SourceContext, SourceReader } from './model.ts';
import { unpack } from './unpack.ts';
import { newestVersion } from './versions.ts';

const index = 'https://index.crates.io';
const archives = 'https://static.crates.io/crates';

/** What cargo has unpacked is what it compiles; otherwise the crate is fetched, with the hash that the index promises. */
export const crateSources: SourceReader = async ({ name, version }, context) => {
  const here = version === undefined ? undefined : await inRegistry(name, version, context);
  if (here !== undefined) return here;
  const known = version === undefined ? undefined : await context.kept('crates', name, version);
  if (known !== undefined) return known;
  context.progress?.(`fetching ${name}`);
  const lines = await releases(name, context);
  const wanted = version ?? newestVersion(lines.filter(({ yanked }) => !yanked).map((each) => each.version));
  const release = lines.find((each) => each.version === wanted);
  if (release === undefined) throw new ToolError('file_not_found', `crates.io has no ${name} ${version ?? ''}.`.trim());
  const url = `${archives}/${name}/${name}-${release.version}.crate`;
  const hash = { algorithm: 'sha256', hex: release.hash } as const;
  const archive = await download(url, { hash, signal: context.signal });
  if (archive === undefined) throw new ToolError('file_not_found', `crates.io has no ${name} ${release.version}.`);
  const notes = version === undefined ? ['No Cargo.lock here names it; this is the newest version.'] : [];
  return context.keep({ registry: 'crates', name, version: release.version, kind: 'crate', notes }, (folder) =>
    unpack(archive, `${name}.tar.gz`, folder, context.signal),
  );
};

async function inRegistry(
  name: string,
  version: string,
  { project }: SourceContext,
): Promise<PackageSources | undefined> {
  const home = project.env['CARGO_HOME'] ?? join(project.env['HOME'] ?? '/', '.cargo');
  const root = join(home, 'registry', 'src');
  for (const registry of await readdir(root).catch(() => [])) {
    const path = join(root, registry, `${name}-${version}`);
    const files = await filesOf(path).catch(() => []);
    if (files.length > 0)
      return {
        registry: 'crates',
        name,
        version,
        kind: 'crate',
        path,
        installedAt: path,
        files: files.length,
        notes: [],
      };
  }
  return undefined;
}

interface Release {
  version: string;
  hash: string;
  yanked: boolean;
}

async function releases(name: string, { signal }: SourceContext): Promise<Release[]> {
  const text = await downloadText(`${index}/${placeInIndex(name.toLowerCase())}`, { signal });
  if (text === undefined) throw new ToolError('file_not_found', `crates.io has no crate ${name}.`);
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const release = recordOf(JSON.parse(line));
    const version = textOf(release['vers']);
    const hash = textOf(release['cksum']);
    return version === undefined || hash === undefined ? [] : [{ version, hash, yanked: release['yanked'] === true }];
  });
}

/** The index spreads names over folders: `1/a`, `2/ab`, `3/a/abc`, `ab/cd/abcd…`. */
function placeInIndex(name: string): string {
  if (name.length <= 2) return `${name.length}/${name}`;
  if (name.length === 3) return `3/${name.charAt(0)}/${name}`;
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}
