import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isErrnoException } from '../../base/errors.ts';
import { acquireFileLock, type FileLock, type FileLockOptions } from '../../base/fileLock.ts';
import { processesWithToken } from '../../base/processes.ts';
import { expand } from './programs.ts';
import { namesIn } from '../../base/text/namesIn.ts';

/**
 * Installed engines on disk: `engines/<id>/<version>/` with a manifest that is written last. An engine is made in
 * `engines/.staging/` and renamed into place, so a folder under its final name is always a whole one; the manifest lists
 * what must be there with its size, so that a damaged one is seen and made anew.
 */
interface Manifest {
  id: string;
  version: string;
  /** Size in bytes of each file that starts the engine; a truncated one is found by it. */
  sizes: Record<string, number>;
}

interface InstalledEngine {
  folder: string;
  version: string;
}

interface Staging {
  folder: string;
  runToken: string;
}

const manifestName = 'sightline-engine.json';

export class EngineCache {
  readonly root: string;

  constructor(cacheDir: string) {
    this.root = join(cacheDir, 'engines');
  }

  lock(id: string, options: FileLockOptions): Promise<FileLock> {
    return acquireFileLock(join(this.root, '.locks', `${id}.lock`), options);
  }

  folderOf(id: string, version: string): string {
    return join(this.root, id, version);
  }

  logFileOf(id: string): string {
    return join(this.root, '.logs', `${id}.log`);
  }

  /** The intact installation of an engine: the wanted version, else the newest installed one. */
  async installed(id: string, wanted: string | undefined): Promise<InstalledEngine | undefined> {
    const versions = await namesIn(join(this.root, id));
    const times = await Promise.all(
      versions.map(async (version) => ({ version, time: await modified(this.folderOf(id, version)) })),
    );
    const order = times.sort((a, b) => Number(b.version === wanted) - Number(a.version === wanted) || b.time - a.time);
    for (const { version } of order) {
      const folder = this.folderOf(id, version);
      if (await isIntact(folder, id, version)) return { folder, version };
    }
    return undefined;
  }

  /** An empty folder to install into. Call it with the engine's lock held: leftovers of killed installs are removed. */
  async stage(id: string, runToken: string): Promise<Staging> {
    const staging = join(this.root, '.staging');
    await mkdir(staging, { recursive: true, mode: 0o700 });
    for (const name of await namesIn(staging)) {
      if (!name.startsWith(`${id}@`)) continue;
      await endLeftovers(join(staging, name, 'run-token'));
      await rm(join(staging, name), { recursive: true, force: true });
    }
    const place = await mkdtemp(join(staging, `${id}@`));
    await writeFile(join(place, 'run-token'), runToken);
    const folder = join(place, 'content');
    await mkdir(folder);
    return { folder, runToken };
  }

  /** Makes a staged engine the installed one. The rename is the moment from which it exists. */
  async publish(id: string, version: string, entry: string, staging: Staging): Promise<string> {
    const [file = join(staging.folder, entry)] = await expand(join(staging.folder, entry));
    const sizes = { [relative(staging.folder, file)]: (await stat(file)).size };
    const manifest: Manifest = { id, version, sizes };
    await writeFile(join(staging.folder, manifestName), JSON.stringify(manifest, undefined, 2));
    const target = this.folderOf(id, version);
    await mkdir(join(this.root, id), { recursive: true });
    await rm(target, { recursive: true, force: true });
    await rename(staging.folder, target);
    await this.discard(staging);
    return target;
  }

  async discard(staging: Staging): Promise<void> {
    await rm(join(staging.folder, '..'), { recursive: true, force: true });
  }
}

async function isIntact(folder: string, id: string, version: string): Promise<boolean> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, manifestName), 'utf8'));
    if (!isManifest(manifest) || manifest.id !== id || manifest.version !== version) return false;
    for (const [file, size] of Object.entries(manifest.sizes)) {
      if ((await stat(join(folder, file))).size !== size) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { id, version, sizes } = value as Partial<Manifest>;
  return typeof id === 'string' && typeof version === 'string' && typeof sizes === 'object' && sizes !== null;
}

/** A client program that outlived a killed install would go on writing; it is known by the run token it was started with. */
async function endLeftovers(tokenFile: string): Promise<void> {
  let token: string;
  try {
    token = await readFile(tokenFile, 'utf8');
  } catch (error) {
    if (isErrnoException(error, 'ENOENT')) return;
    throw error;
  }
  for (const pid of token === '' ? [] : processesWithToken(token)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended by itself meanwhile.
    }
  }
}

async function modified(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
