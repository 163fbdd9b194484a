import { contentHash } from '../../../base/ids.ts';
import { LoadedVersion, readVersion, stampOf } from '../edits/readVersion.ts';
import { unsavedBuffer } from './unsaved.ts';

/** What a file holds for whoever is about to change it: the unsaved text of an editor, or else what is on disk. */
export async function currentVersion(path: string): Promise<LoadedVersion | null> {
  const buffer = unsavedBuffer(path);
  const found = buffer === undefined ? undefined : stampOf(path);
  if (buffer === undefined || found === undefined) return readVersion(path);
  const bytes = Buffer.from(buffer.text, 'utf8');
  const mode = Number(found.stats.mode & 0o7777n);
  // The stamp of the file on disk would vouch for a content that is not there.
  const stamp = { signature: 'unsaved', changeTimeNs: 0n, seenMs: 0 };
  return new LoadedVersion(stamp, bytes, () => ({ kind: 'file', hash: contentHash(bytes), mode, size: bytes.length }));
}
