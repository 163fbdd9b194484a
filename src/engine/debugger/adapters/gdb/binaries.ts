import { closeSync, openSync, readSync, statSync } from 'node:fs';

const headerBytes = 4;
const searchedBytes = 64 * 1024 * 1024;

/** Whether a file is a compiled program, by its first bytes (ELF, or Mach-O). */
export function isBinary(path: string): boolean {
  const start = bytesOf(path, headerBytes)?.toString('hex') ?? '';
  return start === '7f454c46' || start === 'cffaedfe';
}

/** Rust's standard library leaves the place it was compiled at in every program. */
export function isRustBinary(path: string): boolean {
  if (!isBinary(path)) return false;
  const bytes = bytesOf(path, searchedBytes);
  return bytes !== undefined && (bytes.includes('/rustc/', 0, 'latin1') || bytes.includes('rust_panic', 0, 'latin1'));
}

function bytesOf(path: string, count: number): Buffer | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(count, stats.size));
    const file = openSync(path, 'r');
    try {
      readSync(file, buffer, 0, buffer.length, 0);
    } finally {
      closeSync(file);
    }
    return buffer;
  } catch {
    return undefined;
  }
}
