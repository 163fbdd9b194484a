import { AsyncLocalStorage } from 'node:async_hooks';
import type { BufferStore, OpenBuffer } from './bufferStore.ts';

/**
 * What editors hold unsaved is part of what a file says, for whoever reads it: reads, index, plans of changes. Like the folders of
 * its own, the stores belong to the process, and composition names them.
 */
const stores = new Set<BufferStore>();

/** Until the returned function is called. */
export function showBuffers(store: BufferStore): () => void {
  stores.add(store);
  return () => void stores.delete(store);
}

const reading = new AsyncLocalStorage<Map<string, OpenBuffer>>();

/** Notes in `used` whose unsaved text `work` reads, by path. */
export function noticingUnsaved<T>(used: Map<string, OpenBuffer>, work: () => T): T {
  return reading.run(used, work);
}

/** The buffer that stands for a file while it is not saved; undefined when the disk does. One out of step is told, but not shown. */
export function unsavedBuffer(path: string): OpenBuffer | undefined {
  const buffer = peekUnsaved(path);
  if (buffer !== undefined) reading.getStore()?.set(path, buffer);
  return buffer?.isLost === true ? undefined : buffer;
}

/** The same for whoever does not read it. */
export function peekUnsaved(path: string): OpenBuffer | undefined {
  return unsavedBuffers(path)[0];
}

export function unsavedBuffers(path: string): OpenBuffer[] {
  return [...stores].flatMap((store) => store.unsaved(path));
}

export function unsavedBelow(root: string): string[] {
  return [...stores].flatMap((store) => (store.isEmpty ? [] : store.unsavedBelow(root)));
}

/** Resolves when a buffer has this text, or after the time. */
export async function untilShown(buffer: OpenBuffer, text: string, timeoutMs: number): Promise<boolean> {
  const isThere = () => buffer.text === text;
  if (isThere()) return true;
  return new Promise((resolve) => {
    const end = (result: boolean) => {
      clearTimeout(timer);
      for (const one of listening) void one.dispose();
      resolve(result);
    };
    const timer = setTimeout(() => end(isThere()), timeoutMs);
    const listening = [...stores].map((store) => store.onDidChange.on(() => (isThere() ? end(true) : undefined)));
  });
}
