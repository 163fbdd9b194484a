import { watch, watchFile, unwatchFile, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AsyncDisposer } from '../../base/disposable.ts';
import type { Project } from './project.ts';
import { projectStructure } from './structure.ts';

const settleMs = 50;
const structureSettleMs = 300;
const maxWatchedFolders = 500;

/** Calls back when this file appears, changes or goes. Its folder is watched, since saving often replaces the file. */
export function watchPath(path: string, onChange: () => void): AsyncDisposer {
  const soon = debounced(settleMs, onChange);
  const name = basename(path);
  const stopPolling = () => unwatchFile(path, soon.call);
  let watcher: FSWatcher | undefined;
  const poll = () => {
    // Without watch handles the slower way remains; it is equally right.
    watchFile(path, { interval: 500, persistent: false }, soon.call);
  };
  try {
    watcher = watch(dirname(path), { persistent: false }, (_event, changed) => {
      if (changed === null || changed === name) soon.call();
    });
    watcher.on('error', poll);
  } catch {
    poll();
  }
  return {
    dispose: () => {
      watcher?.close();
      stopPolling();
      soon.cancel();
    },
  };
}

/** Calls back when the modules of a project are not what they were. The folders that hold modules, or could, are watched. */
export async function watchStructure(project: Project, onChange: () => void): Promise<AsyncDisposer> {
  const watchers = new Map<string, FSWatcher>();
  const stopped = new AbortController();
  let known = '';
  const look = async (isFirst: boolean) => {
    const structure = await projectStructure(project, stopped.signal);
    // The number of files changes all the time and is not what the structure is about.
    const now = JSON.stringify(structure.modules.map(({ languages: _languages, ...module }) => module));
    const folders = await foldersToWatch(
      project.root,
      structure.modules.map((module) => module.path),
    );
    if (stopped.signal.aborted) return;
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (!watchers.has(folder)) addWatcher(watchers, folder, soon.call);
    }
    if (!isFirst && now !== known) onChange();
    known = now;
  };
  const soon = debounced(structureSettleMs, () => {
    look(false).catch(() => undefined);
  });
  await look(true);
  return {
    dispose: () => {
      stopped.abort();
      soon.cancel();
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

/** Calls back when what `look` gives is not what it gave before. For states that announce nothing themselves. */
export function watchPolled(intervalMs: number, look: () => string, onChange: () => void): AsyncDisposer {
  let known = look();
  const timer = setInterval(() => {
    const now = look();
    if (now === known) return;
    known = now;
    onChange();
  }, intervalMs);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

function addWatcher(watchers: Map<string, FSWatcher>, folder: string, onEvent: () => void): void {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    watcher.on('error', () => {
      watcher.close();
      watchers.delete(folder);
    });
    watchers.set(folder, watcher);
  } catch {
    // A folder that is gone, or no handles left: its neighbours still tell of most changes.
  }
}

/** Module folders, those above them, and the folders beside modules, where the next module would appear. */
async function foldersToWatch(root: string, modules: readonly string[]): Promise<Set<string>> {
  const folders = new Set<string>([root]);
  for (const module of modules) {
    for (let folder = join(root, module); folder.startsWith(root); folder = dirname(folder)) folders.add(folder);
    const parent = module === '.' ? root : dirname(join(root, module));
    for (const entry of await readdir(parent, { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        folders.add(join(parent, entry.name));
      if (folders.size >= maxWatchedFolders) return folders;
    }
  }
  return folders;
}

function debounced(ms: number, action: () => void): { call: () => void; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    call: () => {
      clearTimeout(timer);
      timer = setTimeout(action, ms);
    },
    cancel: () => clearTimeout(timer),
  };
}
