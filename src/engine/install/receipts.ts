import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentHash } from '../../base/ids.ts';

/** What we found when we changed a file, so that removing gives back every byte. */
export interface Receipt {
  /** The file as it was before us; null when there was none. */
  original: string | null;
  /** Of the text that we left there. */
  leftHash: string;
  /** Folders that we made for it, outermost first. */
  folders: string[];
}

/** Where the original lies, as a file of its own that a person can copy back. */
function backupPath(receipts: string, file: string): string {
  return join(receipts, `${contentHash(file).slice(0, 12)}-${basename(file)}`);
}

export function readReceipt(receipts: string, file: string): Receipt | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(receiptPath(receipts, file), 'utf8'));
    if (typeof value !== 'object' || value === null) return undefined;
    const { isNew, leftHash, folders } = value as Partial<Record<string, unknown>>;
    if (typeof leftHash !== 'string' || !Array.isArray(folders)) return undefined;
    const original = isNew === true ? null : readFileSync(backupPath(receipts, file), 'utf8');
    return { original, leftHash, folders: folders.map(String) };
  } catch {
    // Without a readable receipt our entry is taken out of the file as it stands.
    return undefined;
  }
}

/** Private, since configurations hold keys. Answers where the original lies. */
export function writeReceipt(receipts: string, file: string, receipt: Receipt): string | undefined {
  mkdirSync(receipts, { recursive: true, mode: 0o700 });
  const { original, leftHash, folders } = receipt;
  if (original !== null) writeFileSync(backupPath(receipts, file), original, { mode: 0o600 });
  const content = JSON.stringify({ file, isNew: original === null, leftHash, folders });
  writeFileSync(receiptPath(receipts, file), content, { mode: 0o600 });
  return original === null ? undefined : backupPath(receipts, file);
}

export function dropReceipt(receipts: string, file: string): void {
  rmSync(receiptPath(receipts, file), { force: true });
  rmSync(backupPath(receipts, file), { force: true });
}

function receiptPath(receipts: string, file: string): string {
  return `${backupPath(receipts, file)}.receipt`;
}
