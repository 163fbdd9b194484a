import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * A pid alone says little: numbers are used again. Together with the moment the process started it names one process for ever.
 * Where there is no /proc the start is unknown (empty) and the pid has to do.
 */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

export function ownIdentity(): ProcessIdentity {
  return identityOf(process.pid);
}

export function identityOf(pid: number): ProcessIdentity {
  return { pid, start: startOf(pid) ?? '' };
}

/** Whether exactly this process still runs. A zombie does not. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return false;
  const start = startOf(identity.pid);
  if (start !== undefined && identity.start !== '') return start === identity.start && !isZombie(identity.pid);
  try {
    process.kill(identity.pid, 0);
    return start === undefined ? !hasProc() : !isZombie(identity.pid);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The living children of these processes, their children, and so on. Empty where there is no /proc. */
export function descendantsOf(pids: readonly number[]): ProcessIdentity[] {
  const found = new Map<number, ProcessIdentity>();
  const family = new Set(pids);
  const others = allPids().flatMap((pid) => {
    const fields = statFields(pid);
    return fields === undefined || fields[0] === 'Z'
      ? []
      : [{ pid, parent: Number(fields[1]), start: fields[19] ?? '' }];
  });
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const { pid, parent, start } of others) {
      if (!family.has(parent) || family.has(pid) || pid === process.pid) continue;
      family.add(pid);
      found.set(pid, { pid, start });
    }
  }
  return [...found.values()];
}

/** Empty where there is no /proc. */
export function allPids(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Pids mean something only inside their namespace: a container's process must never be judged by the pids of its host. */
export function pidNamespace(): string {
  try {
    return /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1] ?? '0';
  } catch {
    return '0';
  }
}

/** Clock ticks between boot and the start of the process (field 22 of stat, counted after the parenthesised name). */
function startOf(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z';
}

/** Processor time a process has used, where the system tells it. */
export function cpuTimeMs(pid: number): number | undefined {
  const fields = statFields(pid);
  // In hundredths of a second, in user and in system mode.
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * 10;
}

function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function hasProc(): boolean {
  return statFields(process.pid) !== undefined;
}
