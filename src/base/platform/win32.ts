import { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFiles, Platform, ProcessTable } from './platform.ts';
import { listenersInNetstat } from './netstat.ts';
import { said } from './said.ts';

/**
 * What of processes costs less than a second to ask. Parents, environments and starts are to be had only through PowerShell, which takes that
 * long for each question, so the pid alone names a process.
 */
const processes: ProcessTable = {
  isComplete: false,
  all: () => [],
  one: () => undefined,
  isSameStart: (one, other) => one === other,
  namespace: () => '0',
  words: () => [],
  variables: () => [],
  executable: () => 'unknown',
  folder: () => undefined,
  residentBytes: () => 0,
  cpuTimeMs: () => undefined,
  listeningPorts: (pid) =>
    listeners()
      ?.filter((each) => each.pid === pid)
      .map(({ port }) => port),
  listensAt(pids, port) {
    const wanted = new Set(pids);
    return listeners()?.some((each) => each.port === port && wanted.has(each.pid));
  },
  systemCall: () => undefined,
  openFile: () => undefined,
  throughOpenFile: () => undefined,
  terminal: () => undefined,
  tracingLimit: () => undefined,
};

/** A folder that is open cannot be renamed there, and a file that is open can be asked only by its path. */
const files: OpenFiles = {
  async open(path, flags) {
    const file = await open(path, flags);
    if (liesAt(file.fd, path)) return file;
    await file.close();
    return undefined;
  },
  openDirectory(path) {
    const opened = openSync(path, constants.O_RDONLY);
    if (liesAt(opened, path)) return opened;
    closeSync(opened);
    return undefined;
  },
  through: (descriptor, path) => (liesAt(descriptor, path) ? path : undefined),
  forOthers: (path) => path,
  copiesAttributes: false,
};

export const win32: Platform = {
  system: 'win32',
  processes,
  children: {
    // A group of its own would be a console of its own. Node puts children without one into a job that ends with us.
    leadGroups: false,
    leaveByShell: false,
    signalTree(pid) {
      // The tree is known only as long as its root lives, so there is no polite way.
      said('taskkill', ['/PID', String(pid), '/T', '/F'], systemFolder());
    },
    guard: () => undefined,
    endUsAfter: () => undefined,
  },
  files,
  customs: {
    environment(env) {
      const others = Object.entries(env).filter(([name]) => !/^(path|home)$/i.test(name));
      return { ...Object.fromEntries(others), PATH: env['PATH'], HOME: env['HOME'] ?? env['USERPROFILE'] };
    },
    searchPath: [systemFolder()],
    programNames: (name) => (/\.\w+$/.test(name) ? [name] : ['.exe', '.cmd', '.bat', ''].map((end) => name + end)),
    programIn: (folder, name) => join(folder, 'Scripts', `${name}.exe`),
    shell: (line, env) => [env['ComSpec'] ?? 'cmd.exe', '/d', '/s', '/c', line],
    quote: (word) => (/^[\w@+=:,./\\~-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`),
    hasPosixShell: false,
    cacheFolder: (home, env) => env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
    opener: () => 'explorer.exe',
    pipe: (id) => `\\\\.\\pipe\\sightline-${id}`,
    hasModes: false,
    sttyOption: '-F',
  },
};

function systemFolder(): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32');
}

function listeners(): { pid: number; port: number }[] | undefined {
  const text = said('netstat', ['-ano', '-p', 'TCP'], systemFolder());
  return text === undefined ? undefined : listenersInNetstat(text);
}

function liesAt(descriptor: number, path: string): boolean {
  const [opened, there] = [fstatSync(descriptor, { bigint: true }), statSync(path, { bigint: true })];
  return opened.ino === there.ino && opened.dev === there.dev && realpathSync.native(path) === path;
}
