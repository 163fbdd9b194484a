import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, isErrnoException, ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { FileOps } from './fileOps.ts';
import type { Journal, JournalEntry, JournalRecord } from './journal.ts';
import { OpenDirectories } from './openDirectories.ts';
import { sameVersion, type ChangeOrigin, type ChangePlan, type Transition } from './operations.ts';
import { readVersion, signatureOf } from './readVersion.ts';
import { rollBack } from './rollBack.ts';

export interface TransactionContext {
  root: string;
  id: string;
  time: Date;
  origin: ChangeOrigin;
  undoOf?: readonly string[];
  journal: Journal;
  ops: FileOps;
  /** Called once the change has happened and before the journal forgets it. */
  record(journalRecord: JournalRecord): Promise<void>;
}

/** Carries a plan out, all or nothing. When this throws, the files are as they were. */
export async function runTransaction(plan: ChangePlan, context: TransactionContext): Promise<void> {
  const signatures = await verifyBefore(plan.transitions, context.root);
  const record = await makeRecord(plan, context);
  const directories = new OpenDirectories();
  try {
    await context.journal.begin(record);
    try {
      await makeDirectories(record, directories, context.ops);
      await stage(plan, record, directories, context.ops);
      await verifyStill(record, signatures, directories, context.root);
      await carryOut(record, directories, context.ops);
      await verifyKept(record, signatures, directories, context.root);
      await syncTouched(record, directories, context.ops);
      await context.journal.commit(context.id);
    } catch (error) {
      await takeBack(record, context, error);
      throw translate(error, context.root);
    }
    await context.record(record);
    await forgetKept(record, directories, context.ops);
    await context.journal.end(context.id, 'committed');
  } finally {
    await directories.closeAll();
  }
}

/** Removes the old contents and staged leftovers of a change that has happened. */
export async function forgetKept(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  for (const entry of record.entries) if (entry.kept !== undefined) await directories.pathOf(entry.kept);
  await inParallel(record.entries, async (entry) => {
    for (const leftover of [entry.kept, entry.staged])
      if (leftover !== undefined) await unlinkIfThere(leftover, directories, ops);
  });
}

async function verifyBefore(transitions: readonly Transition[], root: string): Promise<Map<string, string>> {
  const signatures = new Map<string, string>();
  await inParallel(transitions, async (transition) => {
    const found = await readVersion(transition.path);
    if (!sameVersion(found?.version ?? null, transition.before)) throw changed(transition.path, root);
    if (found !== null) signatures.set(transition.path, found.signature);
  });
  return signatures;
}

async function makeRecord(plan: ChangePlan, context: TransactionContext): Promise<JournalRecord> {
  const moved = new Set(plan.moves.flatMap((move) => [move.from, move.to]));
  const removed = new Set(plan.removedDirectories);
  const prefix = `.sightline-${context.id}`;
  const entries = plan.transitions.map((transition, number): JournalEntry => {
    const entry: JournalEntry = { ...transition };
    if (moved.has(transition.path)) return entry;
    let folder = dirname(transition.path);
    while (removed.has(folder)) folder = dirname(folder);
    if (transition.after !== null) entry.staged = join(folder, `${prefix}-${number}.new`);
    if (transition.before !== null) entry.kept = join(folder, `${prefix}-${number}.old`);
    return entry;
  });
  const needed = plan.transitions.filter((one) => one.after !== null).map((one) => dirname(one.path));
  return {
    format: 1,
    id: context.id,
    time: context.time.toISOString(),
    origin: context.origin,
    undoOf: context.undoOf,
    entries,
    moves: plan.moves,
    createdDirectories: await missingDirectories([...needed, ...plan.addedDirectories], context.root),
    removedDirectories: plan.removedDirectories,
    addedDirectories: plan.addedDirectories,
    changesCount: plan.changesCount,
  };
}

async function missingDirectories(wanted: readonly string[], root: string): Promise<string[]> {
  const missing = new Set<string>();
  const present = new Set<string>([root]);
  for (const directory of wanted) {
    for (let at = directory; isInside(root, at) && !present.has(at) && !missing.has(at); at = dirname(at)) {
      if (await exists(at)) present.add(at);
      else missing.add(at);
    }
  }
  return [...missing].sort((a, b) => a.length - b.length);
}

async function makeDirectories(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  for (const directory of record.createdDirectories) await ops.mkdir(await directories.pathOf(directory));
}

async function stage(
  plan: ChangePlan,
  record: JournalRecord,
  directories: OpenDirectories,
  ops: FileOps,
): Promise<void> {
  for (const entry of record.entries) await directories.pathOf(entry.path);
  await inParallel(record.entries, async ({ path, staged, kept, after }) => {
    if (kept !== undefined) await ops.keep(await directories.pathOf(path), await directories.pathOf(kept));
    if (staged === undefined || after === null) return;
    const target = await directories.pathOf(staged);
    if (after.kind === 'symlink') return ops.makeSymlink(after.target, target);
    const bytes = plan.contents.get(after.hash);
    if (bytes === undefined) throw new ToolError('internal_error', `The new content of ${path} is missing.`);
    await ops.writeNew(target, bytes, after.mode);
  });
}

/** The last look before the first visible step: nobody has written meanwhile, nobody has put a file where one is to be made. */
async function verifyStill(
  record: JournalRecord,
  signatures: ReadonlyMap<string, string>,
  directories: OpenDirectories,
  root: string,
): Promise<void> {
  for (const { path } of record.entries) {
    const now = await lookAt(await directories.pathOf(path));
    if (now?.signature !== signatures.get(path)) throw changed(path, root);
  }
}

async function carryOut(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  for (const move of record.moves) {
    await ops.publish(await directories.pathOf(move.from), await directories.pathOf(move.to));
    await unlinkIfThere(move.from, directories, ops);
  }
  for (const { path, staged, before } of record.entries) {
    if (staged === undefined) continue;
    const from = await directories.pathOf(staged);
    const to = await directories.pathOf(path);
    if (before === null) await ops.publish(from, to);
    else await ops.rename(from, to);
  }
  for (const { path, kept, after } of record.entries)
    if (kept !== undefined && after === null) await ops.unlink(await directories.pathOf(path));
  for (const directory of record.removedDirectories) {
    const path = await directories.pathOf(directory);
    try {
      await ops.rmdir(path);
    } catch (error) {
      // Somebody put a new file there: it stays, and its directory with it.
      if (!isErrnoException(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    }
  }
}

/** A writer that had the old file open, or came between the last look and the rename, has left its mark on the kept file. */
async function verifyKept(
  record: JournalRecord,
  signatures: ReadonlyMap<string, string>,
  directories: OpenDirectories,
  root: string,
): Promise<void> {
  for (const { path, kept, before } of record.entries) {
    if (kept === undefined) continue;
    const keptPath = await directories.pathOf(kept);
    const now = await lookAt(keptPath);
    const isCopy = now !== undefined && now.inode !== signatures.get(path)?.split(':')[1];
    if (isCopy) continue;
    if (now?.signature !== signatures.get(path)) throw changed(path, root);
    // The clock of file times is coarse: a file written just now may have been written twice within one tick.
    if (now !== undefined && Date.now() - now.modifiedMs < clockTickMs) {
      const content = await readVersion(keptPath);
      if (content?.version.hash !== before?.hash) throw changed(path, root);
    }
  }
}

const clockTickMs = 50;

async function syncTouched(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  const touched = new Set([
    ...record.entries.map((entry) => dirname(entry.path)),
    ...record.createdDirectories.map((directory) => dirname(directory)),
    ...record.removedDirectories.map((directory) => dirname(directory)),
  ]);
  const removed = new Set(record.removedDirectories);
  for (const directory of touched)
    if (!removed.has(directory)) await ops.syncDirectory(await directories.directoryOf(directory));
}

async function takeBack(record: JournalRecord, context: TransactionContext, cause: unknown): Promise<void> {
  // The directories held open may be ones that the change has removed and the way back makes anew.
  const directories = new OpenDirectories();
  try {
    const problems = await rollBack(record, directories, context.ops);
    await context.journal.end(context.id, 'prepared');
    if (problems.length > 0)
      throw new ToolError('write_failed', `${errorMessage(cause)} ${problems.join(' ')}`, { cause });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      'write_failed',
      `The change failed (${errorMessage(cause)}) and could not be taken back yet (${errorMessage(error)}); it is taken back before the next change to this project.`,
      { cause: error },
    );
  } finally {
    await directories.closeAll();
  }
}

function changed(path: string, root: string): ToolError {
  const file = displayPath(root, path);
  return new ToolError('file_changed', `${file} has changed since this change was worked out. Nothing was changed.`, {
    hint: 'Read the file again and repeat the change.',
    data: { file },
  });
}

function translate(error: unknown, root: string): unknown {
  if (error instanceof ToolError || !isErrnoException(error)) return error;
  if (error.code === 'EEXIST')
    return new ToolError('file_changed', `A file has appeared where one was to be made. Nothing was changed.`, {
      cause: error,
      hint: 'Look at the target and repeat the change.',
    });
  return new ToolError('write_failed', `Writing to ${root} failed: ${reasonOf(error)}. Nothing was changed.`, {
    cause: error,
    data: { errno: error.code },
  });
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EACCES: 'permission denied',
    EPERM: 'the operation is not permitted',
    EROFS: 'the file system is read-only',
    EMFILE: 'too many open files',
  };
  return `${known[error.code ?? ''] ?? error.message} (${error.code})`;
}

async function lookAt(path: string): Promise<{ signature: string; inode: string; modifiedMs: number } | undefined> {
  try {
    const stats = await lstat(path, { bigint: true });
    return { signature: signatureOf(stats), inode: String(stats.ino), modifiedMs: Number(stats.mtimeMs) };
  } catch (error) {
    if (isErrnoException(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await lookAt(path)) !== undefined;
}

async function unlinkIfThere(path: string, directories: OpenDirectories, ops: FileOps): Promise<void> {
  try {
    await ops.unlink(await directories.pathOf(path));
  } catch (error) {
    if (!isErrnoException(error, 'ENOENT')) throw error;
  }
}

const parallelFiles = 8;

/** Runs `work` on every item, a few at a time; after a failure no new item is begun and those under way are waited for. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  let failed = false;
  let failure: unknown;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined && !failed; item = items[next++]) {
      try {
        await work(item);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelFiles, items.length) }, worker));
  if (failed) throw failure;
}
