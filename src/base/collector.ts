import { setFlagsFromString } from 'node:v8';

let isSparing = false;
let bursts = 0;

/** From now on the collector favours little memory over speed: our process mostly waits for others, for hours. */
export function spareMemory(): void {
  isSparing = true;
  spare();
}

/** Work that goes through hundreds of files at once: collecting early took as long as the work itself, and is put off meanwhile. */
export async function inBurst<T>(work: () => Promise<T>): Promise<T> {
  if (!isSparing) return work();
  if (bursts++ === 0) {
    setFlagsFromString('--no-optimize-for-size');
    setFlagsFromString('--semi-space-growth-factor=4');
  }
  try {
    return await work();
  } finally {
    if (--bursts === 0) spare();
  }
}

function spare(): void {
  setFlagsFromString('--optimize-for-size');
  // The part for new objects would grow to 48 MB under many small calls and never shrink; measured, growing saves them no time.
  setFlagsFromString('--semi-space-growth-factor=1');
}
