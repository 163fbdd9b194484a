import type { LocalHistory } from '../../src/engine/workspace/localHistory/localHistory.ts';
import { diskOps, type FileOps } from '../../src/engine/workspace/edits/fileOps.ts';

/**
 * File operations that do something else at the k-th one: throw an error, or never come back because the process is killed. `isLasting`:
 * and at all after it, so that the way back fails too.
 */
export function faultyOps(
  atOperation: number,
  fault: (count: number) => void,
  isLasting = false,
): { ops: FileOps; count: () => number; guardHistory: (history: LocalHistory) => void } {
  let count = 0;
  const step = (): void => {
    count += 1;
    if (count === atOperation || (isLasting && count > atOperation)) fault(count);
  };
  const guarded =
    <Arguments extends unknown[], Result>(operation: (...args: Arguments) => Promise<Result>) =>
    (...args: Arguments): Promise<Result> => {
      try {
        step();
      } catch (error) {
        return Promise.reject(error);
      }
      return operation(...args);
    };
  return {
    count: () => count,
    // What a change writes into local history is stopped before and after it is there.
    guardHistory: (history) => {
      for (const name of ['openShelf', 'record'] as const) {
        const original = history[name].bind(history);
        const guardedStep = async (...args: never[]): Promise<unknown> => {
          step();
          const result: unknown = await Reflect.apply(original, undefined, args);
          step();
          return result;
        };
        Object.assign(history, { [name]: guardedStep });
      }
    },
    ops: {
      writeNew: guarded(diskOps.writeNew),
      copyAttributes: guarded(diskOps.copyAttributes),
      makeSymlink: guarded(diskOps.makeSymlink),
      hold: guarded(diskOps.hold),
      syncContent: guarded(diskOps.syncContent),
      keep: guarded(diskOps.keep),
      publish: guarded(diskOps.publish),
      rename: guarded(diskOps.rename),
      unlink: guarded(diskOps.unlink),
      mkdir: guarded(diskOps.mkdir),
      rmdir: guarded(diskOps.rmdir),
      syncDirectory: guarded(diskOps.syncDirectory),
    },
  };
}

export function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected`), { code });
}
