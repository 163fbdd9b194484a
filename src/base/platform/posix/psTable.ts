import type { ProcessRow, ProcessTable } from '../platform.ts';
import { said, type Said } from '../said.ts';
import { cwdIn, listenersIn, programIn } from './lsof.ts';
import { cpuTimeIn, rowsIn, variablesIn } from './psText.ts';

export interface PsOptions {
  /** The options by which `ps` shows every process, and every process with its environment behind the command. */
  every: string;
  everyWithEnvironment: string;
  /** One process with its environment. */
  withEnvironment: string;
  ask?: Said;
}

const columns = 'pid=,ppid=,pgid=,tpgid=,stat=,lstart=';

/**
 * The processes as `ps` and `lsof` tell of them: for systems on which the kernel's tables are no files. Environments are those that the
 * system shows: on macOS not those of its own programs (/bin/sh), whose children are found by parent and group.
 */
export function psTable({ every, everyWithEnvironment, withEnvironment, ask = said }: PsOptions): ProcessTable {
  let own: ProcessRow | undefined;
  const show = (pid: number, column: string): string | undefined => {
    const text = ask('ps', ['-o', `${column}=`, '-p', String(pid)])?.trim();
    return text === '' ? undefined : text;
  };
  const one = (pid: number): ProcessRow | undefined => {
    if (pid === process.pid && own !== undefined) return own;
    if (!exists(pid)) return undefined;
    const row = rowsIn(ask('ps', ['-o', columns, '-p', String(pid)]) ?? '')[0];
    if (pid === process.pid) own = row;
    return row;
  };
  return {
    get isComplete() {
      return one(process.pid) !== undefined;
    },
    all: (variable) =>
      variable === undefined
        ? rowsIn(ask('ps', [every, '-o', columns]) ?? '')
        : rowsIn(ask('ps', [everyWithEnvironment, '-o', `${columns},command=`]) ?? '', variable),
    one,
    // In whole seconds, which some systems count from a moment that they reckon anew each time.
    isSameStart: (first, second) => Math.abs(Number(first.slice(1)) - Number(second.slice(1))) <= 1,
    // There are none where this is needed.
    namespace: () => '0',
    words: (pid) => (ask('ps', ['-ww', '-o', 'command=', '-p', String(pid)]) ?? '').split(/\s+/).filter(isWord),
    variables(pid) {
      const command = ask('ps', ['-ww', '-o', 'command=', '-p', String(pid)])?.trimEnd() ?? '';
      const all = ask('ps', [withEnvironment, '-o', 'command=', '-p', String(pid)])?.trimEnd() ?? '';
      return all.startsWith(command) ? variablesIn(all.slice(command.length)) : [];
    },
    executable(pid) {
      if (!exists(pid)) return 'gone';
      const path =
        programIn(ask('lsof', ['-a', '-p', String(pid), '-d', 'txt', '-F', 'fn']) ?? '') ?? show(pid, 'comm');
      return path === undefined ? 'unknown' : { path };
    },
    folder: (pid) => cwdIn(ask('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-F', 'fn']) ?? ''),
    residentBytes: (pid) => Number(show(pid, 'rss') ?? 0) * 1024,
    cpuTimeMs: (pid) => cpuTimeIn(show(pid, 'time') ?? ''),
    listeningPorts: (pid) => listening(ask, ['-p', String(pid)])?.map(({ port }) => port),
    listensAt(pids, port) {
      const wanted = new Set(pids);
      return listening(ask, [], port)?.some(({ pid }) => wanted.has(pid));
    },
    systemCall: () => undefined,
    openFile: () => undefined,
    throughOpenFile: () => undefined,
    terminal(pid) {
      const name = show(pid, 'tty');
      return name === undefined || !/^[\w/]+$/.test(name) ? undefined : `/dev/${name}`;
    },
    tracingLimit: () => undefined,
  };
}

function listening(ask: Said, who: readonly string[], port?: number): { pid: number; port: number }[] | undefined {
  const text = ask('lsof', [
    '-nP',
    '-a',
    ...who,
    `-iTCP${port === undefined ? '' : `:${port}`}`,
    '-sTCP:LISTEN',
    '-Fn',
  ]);
  return text === undefined ? undefined : listenersIn(text);
}

/** Asked before `ps` is, which takes a thousand times longer. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isWord(text: string): boolean {
  return text !== '';
}
