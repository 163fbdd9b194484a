import { mkdirSync, watch } from 'node:fs';
import { join, parse } from 'node:path';
import type { AppDirs } from '../../base/appDirs.ts';
import { Deferred } from '../../base/deferred.ts';
import { isErrnoException, errorMessage, ToolError } from '../../base/errors.ts';
import { isAlive, type ProcessIdentity } from '../../base/processIdentity.ts';
import { childEnvironment, startIndependent } from '../../base/processes.ts';
import { connectShared, type SharedConnection } from './connect.ts';
import { ControlClient } from './controlClient.ts';
import { findShared, prepareRuntimeDir, type Discovery } from './discovery.ts';
import type { Hello } from './hello.ts';
import { ProcessLock, lockHolder } from './processLock.ts';
import { sparingFlags, withSparing } from './sparing.ts';
import { isOlder } from './versions.ts';

export interface FindOrStartOptions {
  dirs: AppDirs;
  hello: Omit<Hello, 'token'>;
  build: string;
  /** The built program, which is started as `shared`. */
  entry: string;
  /** Told when the running process is of another version and has to be joined all the same. */
  onNote(note: string): void;
}

const startTimeoutMs = 20_000;
const lookAgainMs = 250;

/**
 * Connects to the shared process, starting it when there is none and replacing an idle one of an older version. Ends that cross
 * each other (it leaves while we come, two start at once) are met by looking again.
 */
export async function findOrStart(options: FindOrStartOptions): Promise<SharedConnection> {
  const { runtime } = options.dirs;
  prepareRuntimeDir(runtime);
  const deadline = Date.now() + startTimeoutMs;
  let startLock: ProcessLock | undefined;
  let starting: ProcessIdentity | undefined;
  let hint = 'sightline serve runs it in the foreground and shows why; sightline stdio --embedded works without it.';
  let lastFailure = 'it did not start in time';
  try {
    while (Date.now() < deadline) {
      const found = findShared(runtime);
      if (found.state === 'running') {
        try {
          if (!(await makesRoom(found.discovery, options))) return await connectShared(found.discovery, options.hello);
        } catch (error) {
          lastFailure = errorMessage(error);
          hint = 'If it hangs, sightline stop ends it, and the next call starts a new one.';
        }
      } else if (starting !== undefined && !isAlive(starting)) {
        // It met another that was quicker, which we find at the next look, or it failed.
        lastFailure = `it ended at once; see ${stderrFile(options.dirs)}`;
        if (lockHolder(runtime, 'process') === undefined && findShared(runtime).state !== 'running') break;
      } else if (starting === undefined && lockHolder(runtime, 'process') === undefined) {
        startLock ??= tryLock(runtime);
        if (startLock !== undefined) starting = await startProcess(options);
      }
      await change(runtime);
    }
  } finally {
    startLock?.release();
  }
  throw new ToolError(
    'internal_error',
    `The Sightline process cannot be reached: ${lastFailure}`.replace(/\.?$/, '.'),
    {
      hint,
    },
  );
}

/** The right to start the process; undefined while another shim is doing so. */
function tryLock(runtimeDir: string): ProcessLock | undefined {
  try {
    const lock = ProcessLock.take(runtimeDir, 'start');
    return lock instanceof ProcessLock ? lock : undefined;
  } catch (error) {
    if (!isErrnoException(error)) throw error;
    throw new ToolError(
      'write_failed',
      `Sightline cannot start: nothing can be written to ${runtimeDir} (${error.message}).`,
      {
        cause: error,
        hint: 'Make room there, or choose another place with SIGHTLINE_HOME.',
      },
    );
  }
}

/** True when an older process agreed to leave: the next look finds none, or its successor. */
async function makesRoom(discovery: Discovery, options: FindOrStartOptions): Promise<boolean> {
  const mine = { version: options.hello.version, build: options.build };
  if (!isOlder(discovery, mine)) return false;
  const control = new ControlClient(await connectShared(discovery, { ...options.hello, kind: 'control' }));
  try {
    const { retired, reasons } = await control.request('retire', mine);
    if (retired) await control.closed;
    else
      options.onNote(
        `joined Sightline ${discovery.version} (process ${discovery.pid}), which is older than this one (${mine.version}); it is replaced once idle. Now it has ${reasons.join(', ')}.`,
      );
    return retired;
  } finally {
    control.dispose();
  }
}

/** It is no descendant of ours: some clients end every descendant of the shim when they leave, and others use the process too. */
async function startProcess(options: FindOrStartOptions): Promise<ProcessIdentity> {
  mkdirSync(join(options.dirs.state, 'logs'), { recursive: true, mode: 0o700 });
  const spec = {
    name: 'the Sightline process',
    command: process.execPath,
    args: [...sparingFlags, options.entry, 'shared'],
    cwd: parse(options.entry).root,
    env: withSparing(childEnvironment(options.hello.env)),
  };
  return startIndependent(spec, stderrFile(options.dirs));
}

function stderrFile(dirs: AppDirs): string {
  return join(dirs.state, 'logs', 'process.stderr');
}

/** Waits until something happens in the runtime directory. The timer covers lost events, and a process that ended at once. */
async function change(runtimeDir: string): Promise<void> {
  const happened = new Deferred<void>();
  const watcher = watch(runtimeDir, () => happened.resolve());
  watcher.on('error', () => undefined);
  const timer = setTimeout(() => happened.resolve(), lookAgainMs);
  try {
    await happened.promise;
  } finally {
    clearTimeout(timer);
    watcher.close();
  }
}
