import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { platform } from '../../../../base/platform/here.ts';
import type { ThreadActivity } from '../../activity/model.ts';
import type { StackFrame } from '../../model.ts';

/** How a program can be made to write its stacks although its interpreter is kept by a native call. */
export interface StackDumps {
  signal: number;
  /** The number of the file in the program, which is memory. */
  file: number;
}

const patienceMs = 200;

/** The threads of a program that does not answer, from the fault handler of its interpreter; none when even that is silent. */
export async function dumpedThreads(pid: number, dumps: StackDumps, processId: string): Promise<ThreadActivity[]> {
  const text = await dumpOf(pid, dumps).catch(() => '');
  return text
    .split(/^(?=(?:Current thread|Thread) 0x)/m)
    .map(framesOf)
    .filter((frames) => frames.length > 0 && !frames.some(({ file }) => file.endsWith('pydevd_daemon_thread.py')))
    .map((frames, index, all) => threadOf(frames, pid, processId, index === all.length - 1));
}

/** A program of which nothing can be seen. */
export function silentThread(pid: number, processId: string): ThreadActivity {
  return threadOf([], pid, processId, true);
}

async function dumpOf(pid: number, { signal, file }: StackDumps): Promise<string> {
  const path = platform.processes.throughOpenFile(pid, file);
  // The program may have closed it, and something else may have its number now.
  if (path === undefined || platform.processes.openFile(pid, file)?.includes('sightline-stacks') !== true) return '';
  const before = readFileSync(path).length;
  process.kill(pid, signal);
  let text = '';
  for (let waited = 0; waited < patienceMs; waited += 20) {
    await delay(20);
    const now = readFileSync(path, 'utf8').slice(before);
    // It is written piece by piece; when nothing is added any more it is whole.
    if (now !== '' && now.length === text.length) break;
    text = now;
  }
  return text;
}

function framesOf(block: string): { file: string; line: number; name: string }[] {
  return [...block.matchAll(/^ {2}File "(.*)", line (\d+) in (.*)$/gm)].map(([, file = '', line = '0', name = '']) => ({
    file,
    line: Number(line),
    name,
  }));
}

/** The interpreter names its oldest thread, which is the main one, last. */
function threadOf(
  found: readonly { file: string; line: number; name: string }[],
  pid: number,
  processId: string,
  isMain: boolean,
): ThreadActivity {
  const frames = found
    .filter(({ file }) => !/_sightline_debuggee|[\\/]python[\\/]launch\.py$|[\\/]pydevd|^<frozen/.test(file))
    .map(({ file, line, name }, index): StackFrame => ({
      id: `dump/${index}`,
      index,
      name,
      methodName: name,
      location: { file, line },
      isLibrary: /[\\/](site|dist)-packages[\\/]|[\\/]lib[\\/]python3/.test(file),
      isLive: false,
    }));
  return {
    threadId: isMain ? 'main' : 'another',
    processId,
    name: isMain ? 'MainThread' : 'thread',
    doing: 'silent',
    frames,
    totalFrames: frames.length,
    values: [],
    ...(isMain ? { systemThread: { pid, tid: pid } } : {}),
  };
}
