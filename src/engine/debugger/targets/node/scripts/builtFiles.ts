import { open, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { TransportError } from '../../../../../base/errors.ts';
import { globFilter } from '../../../../../base/text/glob.ts';
import { displayPath, isInside } from '../../../../../base/paths.ts';
import type { Project } from '../../../../workspace/project.ts';
import { runRipgrep } from '../../../../workspace/ripgrep.ts';
import { loadScriptMap, mapPathOf, type ScriptMap, sourceMapUrlOf } from '../../../../../base/sourceMaps.ts';

/** A compiled file whose source map names the source that was asked for. */
export interface BuiltFile {
  path: string;
  map: ScriptMap;
}

interface BuiltFileSearch {
  found: BuiltFile[];
  /** Compiled files with a source map that were looked at; relative to the root. */
  lookedAt: string[];
}

const maxFiles = 2000;
const maxBytes = 20_000_000;
const tailBytes = 4096;
const scanMs = 5000;

/**
 * The compiled files of a project and the sources their maps name. Everything outside node_modules that names a source map is one,
 * ignored by git or not, so no build tool has to be known; what was read is kept until the file changes.
 */
export class BuiltFiles {
  readonly #sources = new Map<string, { stamp: string; files: ReadonlySet<string> }>();

  /** The compiled files that hold code of this source. `outFiles` are globs (absolute, or from the root) that narrow it down. */
  async of(project: Project, source: string, outFiles: readonly string[] = []): Promise<BuiltFileSearch> {
    const paths = await this.#list(project, outFiles);
    const found: BuiltFile[] = [];
    for (const path of paths) {
      const built = await this.#readIfItHas(path, source);
      if (built !== undefined) found.push(built);
    }
    return { found, lookedAt: paths.map((path) => displayPath(project.root, path)) };
  }

  async #list(project: Project, outFiles: readonly string[]): Promise<string[]> {
    const matches = globFilter(outFiles.map((glob) => fromRoot(project.root, glob)));
    const paths: string[] = [];
    const scripts = ['*.js', '*.mjs', '*.cjs'].flatMap((glob) => ['--glob', glob]);
    const signal = AbortSignal.timeout(scanMs);
    const search = runRipgrep(project, {
      args: [
        ...['--files-with-matches', '--null', '--no-ignore', '--hidden', '--text', '--max-filesize', '20M'],
        ...scripts,
        ...['--glob', '!node_modules', '--glob', '!.git', '--fixed-strings', '--', 'sourceMappingURL=', '.'],
      ],
      separator: '\0',
      signal,
      onRecord: (record) => {
        const path = record.replace(/^\.\//, '');
        if (matches(path)) paths.push(join(project.root, path));
        return paths.length < maxFiles;
      },
    });
    // In a vast project what was found in time must do, and where nothing can be searched breakpoints bind as scripts are loaded.
    await search.catch((error: unknown) => {
      if (!signal.aborted && !(error instanceof TransportError)) throw error;
    });
    return paths.toSorted();
  }

  async #readIfItHas(path: string, source: string): Promise<BuiltFile | undefined> {
    try {
      const facts = await stat(path);
      const url = facts.size > maxBytes ? undefined : await mapUrlOf(path, facts.size);
      if (url === undefined) return undefined;
      const mapPath = mapPathOf(url, path);
      const mapFacts = mapPath === undefined ? facts : await stat(mapPath);
      const stamp = `${facts.mtimeMs}:${facts.size}:${mapFacts.mtimeMs}:${mapFacts.size}`;
      const known = this.#sources.get(path);
      if (known?.stamp === stamp && !known.files.has(source)) return undefined;
      const map = await loadScriptMap(url, path, (each) => each);
      this.#sources.set(path, { stamp, files: new Set(map?.files) });
      return map?.has(source) === true ? { path, map } : undefined;
    } catch {
      // A build that runs meanwhile takes files away; they are no help.
      return undefined;
    }
  }
}

/** Most name a file in their last line; only those that carry the map with them are read whole. */
async function mapUrlOf(path: string, size: number): Promise<string | undefined> {
  const handle = await open(path);
  try {
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const url = sourceMapUrlOf(buffer.toString('utf8', 0, bytesRead));
    if (url !== undefined && !url.startsWith('data:')) return url;
  } finally {
    await handle.close();
  }
  return sourceMapUrlOf(await readFile(path, 'utf8'));
}

function fromRoot(root: string, glob: string): string {
  const [, not = '', plain = ''] = /^(!?)(.*)$/s.exec(glob) ?? [];
  if (!isAbsolute(plain)) return glob;
  return `${not}/${isInside(root, plain) ? displayPath(root, plain) : plain.slice(1)}`;
}
