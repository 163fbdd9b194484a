import type { FileHandle } from 'node:fs/promises';

/**
 * All in which operating systems differ for us. `linux.ts`, `darwin.ts` and `win32.ts` are one file each behind this interface, and `here.ts` says
 * which of them this process runs on. What a system does not tell is undefined or empty, never a guess.
 */
export interface Platform {
  readonly system: System;
  readonly processes: ProcessTable;
  readonly children: Children;
  readonly files: OpenFiles;
  readonly customs: Customs;
}

type System = 'linux' | 'darwin' | 'win32';

/** A process as the table of the system has it. */
export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** The group in front of its terminal. */
  front: number;
  state: 'zombie' | 'stopped' | 'living';
  /** When it started, in a unit of the table's own: tells it from a later one with the same number. */
  start: string;
  /** The value of the variable that was asked for in its environment, as it was when it started. */
  mark?: string;
}

export type Executable = { path: string } | 'gone' | 'denied' | 'unknown';

/** What can be learned of processes that are not ours to ask. */
export interface ProcessTable {
  /** Whether a process that it does not list does not exist. */
  readonly isComplete: boolean;
  /** Every process that we may look at; with `variable`, also what each has in its environment under that name. */
  all(variable?: string): ProcessRow[];
  one(pid: number): ProcessRow | undefined;
  /** Whether two starts are of one process. */
  isSameStart(one: string, other: string): boolean;
  /** Pids mean something only inside their namespace: a container's process must never be judged by the pids of its host. */
  namespace(): string;
  /** The words of its command line; empty when they cannot be had. */
  words(pid: number): string[];
  /** Its environment, as `NAME=value`. */
  variables(pid: number): string[];
  executable(pid: number): Executable;
  folder(pid: number): string | undefined;
  residentBytes(pid: number): number;
  cpuTimeMs(pid: number): number | undefined;
  /** The ports at which it listens. */
  listeningPorts(pid: number): number[] | undefined;
  /** Whether one of these processes listens at the port. */
  listensAt(pids: Iterable<number>, port: number): boolean | undefined;
  /** The system call a thread is in, as the kernel writes it. */
  systemCall(pid: number, tid: number): string | undefined;
  /** What one of its open files is called. */
  openFile(pid: number, descriptor: number): string | undefined;
  /** A path by which we can read what it has open there. */
  throughOpenFile(pid: number, descriptor: number): string | undefined;
  /** The device of its terminal. */
  terminal(pid: number): string | undefined;
  /** What keeps processes from being looked into, for a person to read. */
  tracingLimit(): string | undefined;
}

/** A shell beside us that acts when we are gone. */
export interface Helper {
  script: string;
  argument: string;
}

/** How processes are started so that they can be ended. */
export interface Children {
  /** Whether a child leads a group of its own, by which it is ended together with its children. */
  readonly leadGroups: boolean;
  /** Whether a process becomes nobody's child by a shell that starts it and leaves. */
  readonly leaveByShell: boolean;
  /** Ends the process and what it started, as far as the system knows by itself. */
  signalTree(pid: number, signal: NodeJS.Signals): void;
  /** Ends our parentless children whose variable begins like this, once we are gone; undefined where the system does so or cannot. */
  guard(variable: string, beginning: string): Helper | undefined;
  /** Ends us after so many seconds. */
  endUsAfter(seconds: number): Helper | undefined;
}

/**
 * Between resolving a path and using it a folder can be swapped for a symbolic link. Paths given here are canonical: what is opened must lie
 * exactly there.
 */
export interface OpenFiles {
  /** Undefined when what was opened does not lie there. Errors of opening are thrown. */
  open(path: string, flags: number): Promise<FileHandle | undefined>;
  openDirectory(path: string): number | undefined;
  /** The string by which the open directory is reached in file operations; undefined when it is no longer the one at its path. */
  through(descriptor: number, path: string): string | undefined;
  /** The same for programs that we start. */
  forOthers(path: string): string;
  /** Whether the system's `cp` copies access lists and extended attributes alone. */
  readonly copiesAttributes: boolean;
}

/** Where things are and what they are called. */
export interface Customs {
  /** The environment with the names that we look for; a system may not care how they are spelled. */
  environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** Where programs are looked for when PATH says nothing. */
  readonly searchPath: readonly string[];
  /** The names a program may have as a file. */
  programNames(name: string): string[];
  /** A program of an environment that a package manager has made in `folder`. */
  programIn(folder: string, name: string): string;
  /** What runs a line for the system's own shell. */
  shell(line: string, env: NodeJS.ProcessEnv): string[];
  /** One word as that shell reads it back unchanged. */
  quote(word: string): string;
  readonly hasPosixShell: boolean;
  /** Where programs keep what they can make again. */
  cacheFolder(home: string, env: NodeJS.ProcessEnv): string;
  /** The program that opens an address or a file for a person. */
  opener(env: NodeJS.ProcessEnv): string | undefined;
  /** The address of a socket called `id`; `folder` is where it lies if it is a file. */
  pipe(id: string): string | undefined;
  /** Whether a mode says who may read a file. */
  readonly hasModes: boolean;
  /** The option by which `stty` takes a terminal. */
  readonly sttyOption: string;
}
