import { createHash, randomBytes } from 'node:crypto';

/** A short id that cannot be guessed (72 bits), readable in a log: `prefix_k3J9…`. */
export function randomId(prefix: string): string {
  if (used + idBytes > pool.length) {
    pool = randomBytes(idBytes * 64);
    used = 0;
  }
  used += idBytes;
  return `${prefix}_${pool.toString('base64url', used - idBytes, used)}`;
}

/** Random bytes are fetched for many ids at once: fetching costs as much for one as for all of them. */
const idBytes = 9;
let pool = Buffer.alloc(0);
let used = 0;

/** A secret of 256 bits for tokens. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
