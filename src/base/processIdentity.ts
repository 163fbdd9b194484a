import { platform } from './platform/here.ts';
import type { ProcessRow } from './platform/platform.ts';

/**
 * A pid alone says little: numbers are used again. Together with the moment the process started it names one process for ever.
 * Where the system does not tell the start it is empty, and the pid has to do.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: platform.processes.one(pid)?.start ?? '' };
}

/** Whether exactly this process still runs. A zombie does not. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return false;
  const row = platform.processes.one(identity.pid);
  if (row !== undefined && isComparable(row.start, identity.start)) return isAliveAs(identity, row);
  try {
    process.kill(identity.pid, 0);
    return row === undefined ? !platform.processes.isComplete : row.state !== 'zombie';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isAliveAs({ start }: ProcessIdentity, row: ProcessRow): boolean {
  return row.state !== 'zombie' && platform.processes.isSameStart(start, row.start);
}

/** Tables count from different moments, and say by a letter which. */
function isComparable(one: string, other: string): boolean {
  return one !== '' && other !== '' && /^\d/.test(one) === /^\d/.test(other);
}

export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && platform.processes.isSameStart(one.start, other.start);
}

/** Those of `known` that the table still has. */
export function livingIn(table: readonly ProcessRow[], known: Iterable<ProcessIdentity>): ProcessIdentity[] {
  const rows = new Map(table.map((row) => [row.pid, row]));
  return [...known].filter((identity) => {
    const row = rows.get(identity.pid);
    return row !== undefined && isAliveAs(identity, row);
  });
}

/** The living children of these processes, their children, and so on. Empty where the system does not tell. */
export function descendantsOf(pids: readonly number[], table = platform.processes.all()): ProcessIdentity[] {
  const found = new Map<number, ProcessIdentity>();
  const family = new Set(pids);
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const { pid, parent, start, state } of table) {
      if (!family.has(parent) || family.has(pid) || pid === process.pid || state === 'zombie') continue;
      family.add(pid);
      found.set(pid, { pid, start });
    }
  }
  return [...found.values()];
}

export function pidNamespace(): string {
  return platform.processes.namespace();
}

/** Whether somebody has sent it SIGSTOP, or pressed Ctrl-Z. */
export function isStoppedBySignal(pid: number): boolean {
  return platform.processes.one(pid)?.state === 'stopped';
}

/** Processor time a process has used, where the system tells it. */
export function cpuTimeMs(pid: number): number | undefined {
  return platform.processes.cpuTimeMs(pid);
}

/** The living children of a process. Empty where the system does not tell. */
export function childrenOf(pid: number): number[] {
  return platform.processes
    .all()
    .filter((row) => row.parent === pid && row.state !== 'zombie')
    .map((row) => row.pid);
}

/** The command line of a process, as a person would type it; empty when it cannot be read. */
export function commandLineOf(pid: number): string {
  return platform.processes.words(pid).join(' ');
}
