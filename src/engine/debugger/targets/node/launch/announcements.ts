import { existsSync, watch, type FSWatcher } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException } from '../../../../../base/errors.ts';
import { scratchFolder } from '../../../../../base/scratchFolders.ts';
import { debugFolderVariable, preloadSource, starterVariable } from './preload.ts';
import { namesIn } from '../../../../../base/text/namesIn.ts';

/** A Node process of the session that waits to be attached to. */
export interface Announcement {
  pid: number;
  parentPid: number;
  url: string;
  argv: string[];
  /** Whether the process still waits to be let go. */
  isWaiting: () => boolean;
}

/** The private folder of a session: the preload module lies in it, and each process announces itself with a file there. */
export class Announcements {
  readonly folder: string;
  readonly #seen = new Set<string>();
  readonly #onAnnounced: (announcement: Announcement) => void;
  readonly #watcher: FSWatcher;
  readonly #poll: NodeJS.Timeout;
  #disposed = false;

  private constructor(folder: string, onAnnounced: (announcement: Announcement) => void) {
    this.folder = folder;
    this.#onAnnounced = onAnnounced;
    this.#watcher = watch(folder, () => void this.#scan());
    this.#watcher.on('error', () => undefined);
    // File watching can run out of handles; a slow look now and then keeps the session whole.
    this.#poll = setInterval(() => void this.#scan(), 250);
    this.#poll.unref();
  }

  static async open(onAnnounced: (announcement: Announcement) => void): Promise<Announcements> {
    const folder = await scratchFolder('debug');
    await writeFile(join(folder, 'preload.cjs'), preloadSource, { mode: 0o600 });
    return new Announcements(folder, onAnnounced);
  }

  /**
   * What makes a process and its descendants announce themselves. `nodeOptions` are the program's own; `starter` is a program that
   * is let through, because only what it starts is to be debugged.
   */
  environment(nodeOptions: string | undefined, starter: string | undefined): Record<string, string> {
    const preload = join(this.folder, 'preload.cjs');
    const quoted = `"${preload.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const options = [`--require ${quoted}`, '--inspect-publish-uid=http', nodeOptions ?? ''];
    return {
      [debugFolderVariable]: this.folder,
      NODE_OPTIONS: options.join(' ').trim(),
      ...(starter === undefined ? {} : { [starterVariable]: starter }),
    };
  }

  async #scan(): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      if (!name.endsWith('.json') || this.#seen.has(name) || this.#disposed) continue;
      this.#seen.add(name);
      const path = join(this.folder, name);
      try {
        // The preload writes the file whole before it gives it this name.
        const said = JSON.parse(await readFile(path, 'utf8')) as Omit<Announcement, 'isWaiting'>;
        this.#onAnnounced({ ...said, isWaiting: () => existsSync(path) });
      } catch (error) {
        if (!isErrnoException(error, 'ENOENT')) throw error;
      }
    }
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#watcher.close();
    clearInterval(this.#poll);
    await rm(this.folder, { recursive: true, force: true });
  }
}
