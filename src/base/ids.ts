import { createHash, randomBytes } from 'node:crypto';

/** A short id that cannot be guessed (72 bits), readable in a log: `prefix_k3J9…`. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('base64url')}`;
}

/** A secret of 256 bits for tokens. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
