import { folderOf, type Dependency, type EcosystemReader } from './model.ts';

/** go.mod is manifest and lock file in one: its versions are those used, unless replaced. */
export const go: EcosystemReader = {
  ecosystem: 'go',
  isManifest: (name) => name === 'go.mod',
  read: async (manifest, read) => parseGoMod((await read(manifest)) ?? '', manifest).filter(({ direct }) => direct),
  locked: async (files, read) => {
    const found: Dependency[] = [];
    for (const file of files)
      if (file === 'go.mod' || file.endsWith('/go.mod'))
        found.push(...parseGoMod((await read(file)) ?? '', file).filter(({ direct }) => !direct));
    return found;
  },
};

function parseGoMod(text: string, manifest: string): Dependency[] {
  const required: Dependency[] = [];
  const replaced = new Map<string, string>();
  let block = '';
  for (const line of text.split(/\r?\n/)) {
    const [statement = '', comment = ''] = line.split('//', 2).map((part) => part.trim());
    if (statement === ')') block = '';
    const opened = /^(\w+)\s*\($/.exec(statement)?.[1];
    if (opened !== undefined) {
      block = opened;
      continue;
    }
    const inline = /^(require|replace)\s+(.+)$/.exec(statement);
    const kind = inline?.[1] ?? block;
    const body = inline?.[2] ?? statement;
    if (kind === 'require') {
      const match = /^(\S+)\s+(v\S+)$/.exec(body);
      if (match?.[1] === undefined || match[2] === undefined) continue;
      required.push({
        ecosystem: 'go',
        name: match[1],
        declared: match[2],
        resolved: match[2],
        scope: 'runtime',
        module: folderOf(manifest),
        manifest,
        lockFile: manifest,
        direct: comment !== 'indirect',
      });
    } else if (kind === 'replace') {
      const match = /^(\S+)(?:\s+v\S+)?\s+=>\s+(\S+)(?:\s+(v\S+))?$/.exec(body);
      if (match?.[1] !== undefined && match[2] !== undefined)
        replaced.set(
          match[1],
          match[3] === undefined ? match[2] : match[2] === match[1] ? match[3] : `${match[2]} ${match[3]}`,
        );
    }
  }
  return required.map((dependency) => ({
    ...dependency,
    resolved: replaced.get(dependency.name) ?? dependency.resolved,
  }));
}
