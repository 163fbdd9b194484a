import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import { isErrnoException } from '../errors.ts';
import { endMarkedByFiles } from './helperScripts.ts';
import type { Executable, OpenFiles, Platform, ProcessRow, ProcessTable } from './platform.ts';
import { anchoredFiles } from './posix/anchoredFiles.ts';
import { posixChildren, posixCustoms } from './posix/posix.ts';

/** The kernel's own tables, as files. */
const processes: ProcessTable = {
  get isComplete() {
    return statFields(process.pid) !== undefined;
  },
  all(variable) {
    return pids().flatMap((pid) => {
      const row = rowOf(pid);
      if (row === undefined || variable === undefined) return row ?? [];
      const mark = environment(pid).find((text) => text.startsWith(`${variable}=`));
      return mark === undefined ? row : { ...row, mark: mark.slice(variable.length + 1) };
    });
  },
  one: rowOf,
  isSameStart: (one, other) => one === other,
  namespace() {
    try {
      return /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1] ?? '0';
    } catch {
      return '0';
    }
  },
  words: (pid) => wordsOf(pid, 'cmdline', 'utf8'),
  variables: (pid) => wordsOf(pid, 'environ', 'utf8'),
  executable(pid): Executable {
    try {
      return { path: readlinkSync(`/proc/${pid}/exe`) };
    } catch (error) {
      if (isErrnoException(error, 'ENOENT')) return existsSync('/proc/self') ? 'gone' : 'unknown';
      return isErrnoException(error, 'EACCES', 'EPERM') ? 'denied' : 'unknown';
    }
  },
  folder: (pid) => linkAt(`/proc/${pid}/cwd`),
  residentBytes(pid) {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(textAt(`/proc/${pid}/status`) ?? '')?.[1];
    return Number(kilobytes ?? 0) * 1024;
  },
  cpuTimeMs(pid) {
    const fields = statFields(pid);
    // In hundredths of a second, in user and in system mode.
    return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * 10;
  },
  listeningPorts(pid) {
    const held = new Set(socketsOf(pid));
    return (listeners(`/proc/${pid}/net`) ?? []).filter(({ socket }) => held.has(socket)).map(({ port }) => port);
  },
  listensAt(pids, port) {
    const found = listeners('/proc/net')?.filter((each) => each.port === port);
    if (found === undefined) return undefined;
    const sockets = new Set(found.map(({ socket }) => socket));
    return [...pids].some((pid) => socketsOf(pid).some((socket) => sockets.has(socket)));
  },
  systemCall: (pid, tid) => textAt(`/proc/${pid}/task/${tid}/syscall`)?.trim(),
  openFile: (pid, descriptor) => linkAt(`/proc/${pid}/fd/${descriptor}`),
  throughOpenFile: (pid, descriptor) => `/proc/${pid}/fd/${descriptor}`,
  terminal(pid) {
    const path = linkAt(`/proc/${pid}/fd/0`);
    return path?.startsWith('/dev/') === true ? path : undefined;
  },
  tracingLimit() {
    return `ptrace_scope is ${textAt('/proc/sys/kernel/yama/ptrace_scope')?.trim() ?? 'not there'}`;
  },
};

/** What was opened is asked where it lies, and names in it are reached through it, whatever happens to its path meanwhile. */
const filesByDescriptor: OpenFiles = {
  async open(path, flags) {
    const file = await open(path, flags);
    const actual = await readlink(`/proc/self/fd/${file.fd}`);
    // An editor that saves by renaming may replace the file right after it was opened: it still was the file that was meant.
    if (actual === path || actual === `${path} (deleted)`) return file;
    await file.close();
    return undefined;
  },
  openDirectory(path) {
    const opened = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (linkAt(`/proc/self/fd/${opened}`) === path) return opened;
    closeSync(opened);
    return undefined;
  },
  through: (descriptor) => `/proc/self/fd/${descriptor}`,
  forOthers: (path) => path.replace(/^\/proc\/self\//, `/proc/${process.pid}/`),
  copiesAttributes: true,
};

export const linux: Platform = {
  system: 'linux',
  processes,
  children: {
    ...posixChildren,
    guard: (variable, beginning) => ({ script: endMarkedByFiles, argument: `${variable}=${beginning}` }),
  },
  files: existsSync('/proc/self/fd') ? filesByDescriptor : { ...anchoredFiles, copiesAttributes: true },
  customs: { ...posixCustoms, sttyOption: '-F' },
};

function pids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function rowOf(pid: number): ProcessRow | undefined {
  const fields = statFields(pid);
  if (fields === undefined) return undefined;
  const [state, parent, group, , , front] = fields;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    front: Number(front),
    state: state === 'Z' ? 'zombie' : state === 'T' ? 'stopped' : 'living',
    // Clock ticks between boot and the start of the process: field 22, counted after the parenthesised name.
    start: fields[19] ?? '',
  };
}

function statFields(pid: number): string[] | undefined {
  const stat = textAt(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function environment(pid: number): string[] {
  return wordsOf(pid, 'environ', 'latin1');
}

/** Empty for processes that are gone or another user's. */
function wordsOf(pid: number, file: 'cmdline' | 'environ', encoding: 'utf8' | 'latin1'): string[] {
  return (textAt(`/proc/${pid}/${file}`, encoding) ?? '').split('\0').filter((word) => word !== '');
}

/** The sockets of all listeners in the tables of a network. */
function listeners(folder: string): { port: number; socket: string }[] | undefined {
  const tables = ['tcp', 'tcp6'].flatMap((name) => textAt(`${folder}/${name}`) ?? []);
  if (tables.length === 0) return undefined;
  return tables.flatMap((text) =>
    text.split('\n').flatMap((line) => {
      const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/);
      return state === '0A' ? [{ port: Number.parseInt(local.split(':')[1] ?? '', 16), socket }] : [];
    }),
  );
}

function socketsOf(pid: number): string[] {
  let descriptors: string[];
  try {
    descriptors = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
  return descriptors.flatMap(
    (descriptor) => /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${descriptor}`) ?? '')?.[1] ?? [],
  );
}

function textAt(path: string, encoding: 'utf8' | 'latin1' = 'latin1'): string | undefined {
  try {
    return readFileSync(path, encoding);
  } catch {
    return undefined;
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
