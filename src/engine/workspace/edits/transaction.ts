import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorMessage, isErrnoException, ToolError } from '../../../base/errors.ts';
import { displayPath, isInside } from '../../../base/paths.ts';
import type { FileOps } from './fileOps.ts';
import { holdReplaced } from './holdReplaced.ts';
import { inParallel } from './inParallel.ts';
import { filesForFolders, foldersForFiles, type Journal, type JournalEntry, type JournalRecord } from './journal.ts';
import { OpenDirectories } from './openDirectories.ts';
import { sameVersion, type ChangeOrigin, type ChangePlan } from './operations.ts';
import { clockTickMs, isUntouchedSince, readVersion, stampOf } from './readVersion.ts';
import { rollBack } from './rollBack.ts';
import { writeFailed } from './writeFailed.ts';

interface TransactionContext {
  root: string;
  id: string;
  time: Date;
  origin: ChangeOrigin;
  undoOf?: readonly string[];
  journal: Journal;
  ops: FileOps;
  /** A folder for what the change replaces, outside of the project; undefined when it replaces and makes nothing. */
  openShelf(): Promise<string | undefined>;
  forgetContents(): Promise<void>;
  /** Called once the change has happened and before the journal forgets it. */
  record(journalRecord: JournalRecord): Promise<void>;
  /** The change has happened, and something that belongs to it is left to be done at the next start. */
  leftOpen(error: unknown): void;
}

/** Carries a plan out, all or nothing. When this throws, the files are as they were. */
export async function runTransaction(plan: ChangePlan, context: TransactionContext): Promise<void> {
  const signatures = await verifyBefore(plan, context);
  const directories = new OpenDirectories();
  try {
    const { record, shelf } = await prepare(plan, context, directories);
    try {
      await makeDirectories(record, directories, context.ops);
      await stage(plan, record, directories, context);
      await verifyStill(record, signatures, directories, context.root);
      await carryOut(record, directories, context.ops);
      await verifyKept(record, signatures, directories, context.root);
      await syncTouched(record, shelf, directories, context.ops);
      await context.journal.commit(context.id);
    } catch (error) {
      await takeBack(record, context, error);
      throw translate(error, context);
    }
    try {
      await context.record(record);
      await forgetKept(record, directories, context.ops);
      await context.journal.end(context.id, 'committed');
    } catch (error) {
      // The change is made and no error may say otherwise; the journal is still there for whoever comes next.
      context.leftOpen(error);
    }
  } finally {
    directories.closeAll();
  }
}

/** The journal is on the disk when this returns, and of the project nothing is touched. */
async function prepare(
  plan: ChangePlan,
  context: TransactionContext,
  directories: OpenDirectories,
): Promise<{ record: JournalRecord; shelf: string | undefined }> {
  try {
    const shelf = await context.openShelf();
    const held = shelf === undefined ? new Map() : await holdReplaced(plan, shelf, directories, context.ops);
    const record = await makeRecord(plan, held, context);
    await context.journal.begin(record);
    return { record, shelf };
  } catch (error) {
    await context.forgetContents();
    throw translate(error, context);
  }
}

/** Removes the old contents and staged leftovers of a change that has happened. */
export async function forgetKept(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  await inParallel(record.entries, async (entry) => {
    // What took the place of a file has gone there itself; a file that is new got a second name.
    const leftovers = [entry.isHeld ? undefined : entry.kept, entry.before === null ? entry.staged : undefined];
    for (const leftover of leftovers) if (leftover !== undefined) await unlinkIfThere(leftover, directories, ops);
  });
}

/** That every file is what the plan takes it for. What the system can vouch for is not read again. */
async function verifyBefore(plan: ChangePlan, { root, origin }: TransactionContext): Promise<Map<string, string>> {
  const signatures = new Map<string, string>();
  const removed = new Set(plan.removedDirectories);
  const moved = new Set(plan.moves.flatMap((move) => [move.from, move.to]));
  const linked: string[] = [];
  await inParallel(plan.transitions, async ({ path, before }) => {
    const known = plan.stamps.get(path);
    const now = stampOf(path);
    if (now !== undefined && now.stats.isFile() && now.stats.nlink > 1n && !moved.has(path))
      linked.push(`${displayPath(root, path)} (${now.stats.nlink} names)`);
    // A folder that goes first leaves its place to the file.
    if (before === null && removed.has(path) && now?.stats.isDirectory() === true) return;
    if (before !== null && known !== undefined && now !== undefined && isUntouchedSince(known, now.stamp)) {
      signatures.set(path, known.signature);
      return;
    }
    if (now !== undefined && !now.stats.isFile() && !now.stats.isSymbolicLink()) throw changed(path, root);
    const found = now === undefined ? null : await readVersion(path);
    if (!sameVersion(found?.version ?? null, before)) throw changed(path, root);
    if (found !== null) signatures.set(path, found.stamp.signature);
  });
  if (linked.length > 0)
    origin.tell?.(`Hard links: the other names of ${linked.slice(0, 5).join(', ')} keep the old content`);
  return signatures;
}

async function makeRecord(
  plan: ChangePlan,
  held: ReadonlyMap<string, string>,
  context: TransactionContext,
): Promise<JournalRecord> {
  const moved = new Set(plan.moves.flatMap((move) => [move.from, move.to]));
  const removed = new Set(plan.removedDirectories);
  const prefix = `.sightline-${context.id}`;
  const going = new Set(plan.transitions.filter((one) => one.after === null).map((one) => one.path));
  const needed = plan.transitions.filter((one) => one.after !== null).map((one) => dirname(one.path));
  const createdDirectories = await missingDirectories([...needed, ...plan.addedDirectories], context.root, going);
  const late = createdDirectories.filter((one) => [...going].some((path) => isInside(path, one)));
  const entries = plan.transitions.map((transition, number): JournalEntry => {
    const entry: JournalEntry = { ...transition };
    if (moved.has(transition.path)) return entry;
    let folder = dirname(transition.path);
    while (removed.has(folder) || late.includes(folder)) folder = dirname(folder);
    if (transition.after !== null) entry.staged = join(folder, `${prefix}-${number}.new`);
    const place = held.get(transition.path);
    if (place !== undefined) return { ...entry, kept: place, isHeld: true };
    if (transition.before !== null) entry.kept = join(folder, `${prefix}-${number}.old`);
    return entry;
  });
  return {
    format: 1,
    id: context.id,
    time: context.time.toISOString(),
    origin: context.origin,
    undoOf: context.undoOf,
    entries,
    moves: plan.moves,
    editedMoves: plan.editedMoves,
    createdDirectories,
    removedDirectories: plan.removedDirectories,
    addedDirectories: plan.addedDirectories,
    changesCount: plan.changesCount,
  };
}

/** `going`: files that are there now and will not be. */
async function missingDirectories(
  wanted: readonly string[],
  root: string,
  going: ReadonlySet<string>,
): Promise<string[]> {
  const missing = new Set<string>();
  const present = new Set<string>([root]);
  for (const directory of wanted) {
    for (let at = directory; isInside(root, at) && !present.has(at) && !missing.has(at); at = dirname(at)) {
      if (stampOf(at) !== undefined && !going.has(at)) present.add(at);
      else missing.add(at);
    }
  }
  return [...missing].sort((a, b) => a.length - b.length);
}

async function makeDirectories(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  const isLate = lateIn(record);
  for (const directory of record.createdDirectories)
    if (!isLate(directory)) await ops.mkdir(directories.pathOf(directory));
}

/** Whether a path lies in a folder that can be made only once a file has gone. */
function lateIn(record: JournalRecord): (path: string) => boolean {
  const files = [...foldersForFiles(record)];
  return (path) => files.some((file) => isInside(file, path));
}

async function stage(
  plan: ChangePlan,
  record: JournalRecord,
  directories: OpenDirectories,
  { ops, journal }: TransactionContext,
): Promise<void> {
  const isLate = lateIn(record);
  // Every directory is the one that was checked before anything is written to the first of them.
  for (const { path } of record.entries) if (!isLate(dirname(path))) directories.pathOf(path);
  await inParallel(record.entries, async ({ path, staged, kept, isHeld, after }) => {
    if (kept !== undefined) {
      const place = directories.pathOf(kept);
      if (isHeld) await ops.syncContent(place);
      else await ops.keep(directories.pathOf(path), place);
    }
    if (staged === undefined || after === null) return;
    const target = directories.pathOf(staged);
    if (after.kind === 'symlink') return ops.makeSymlink(after.target, target);
    const bytes = plan.contents.get(after.hash);
    if (bytes === undefined) throw new ToolError('internal_error', `The new content of ${path} is missing.`);
    await ops.writeNew(target, bytes, after.mode);
  });
  const predecessors = predecessorsIn(record);
  const replaced = record.entries.flatMap(({ path, staged, after }) => {
    const old = predecessors.get(path);
    if (old === undefined || staged === undefined || after?.kind !== 'file') return [];
    return [
      { from: directories.pathOf(old.path), to: directories.pathOf(staged), oldMode: old.mode, mode: after.mode },
    ];
  });
  await ops.copyAttributes(replaced, join(journal.directory, 'attributes.writing'));
  for (const { to, oldMode, mode } of replaced) if (oldMode !== mode) chmodSync(to, mode);
}

/** The file that was in the place of another, or was moved there and edited on the way. */
function predecessorsIn({ entries, editedMoves = [] }: JournalRecord): Map<string, { path: string; mode: number }> {
  const before = new Map(
    entries.flatMap(({ path, before: old }) => (old?.kind === 'file' ? [[path, { path, mode: old.mode }]] : [])),
  );
  const moved = editedMoves.flatMap(({ from, to }) => {
    const old = before.get(from);
    return old === undefined ? [] : [[to, old] as const];
  });
  return new Map([...moved, ...before]);
}

/** The last look before the first visible step: nobody has written meanwhile, nobody has put a file where one is to be made. */
async function verifyStill(
  record: JournalRecord,
  signatures: ReadonlyMap<string, string>,
  directories: OpenDirectories,
  root: string,
): Promise<void> {
  const isLate = lateIn(record);
  const swapped = filesForFolders(record);
  await inParallel(record.entries, async ({ path }) => {
    if (isLate(dirname(path))) return;
    const now = stampOf(directories.pathOf(path));
    if (swapped.has(path) && now?.stats.isDirectory() === true) return;
    if (now?.stamp.signature !== signatures.get(path)) throw changed(path, root);
  });
}

async function carryOut(record: JournalRecord, directories: OpenDirectories, ops: FileOps): Promise<void> {
  await inParallel(record.moves, async (move) => {
    await ops.publish(directories.pathOf(move.from), directories.pathOf(move.to));
    await unlinkIfThere(move.from, directories, ops);
  });
  // Where a file and a folder change places, the one goes before the other comes.
  await inParallel(record.entries, async ({ path, kept, after }) => {
    if (kept !== undefined && after === null) await ops.unlink(directories.pathOf(path));
  });
  for (const directory of record.removedDirectories) {
    const path = directories.pathOf(directory);
    try {
      await ops.rmdir(path);
    } catch (error) {
      // Somebody put a new file there: it stays, and its directory with it.
      if (!isErrnoException(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
    }
  }
  const isLate = lateIn(record);
  for (const directory of record.createdDirectories)
    if (isLate(directory)) await ops.mkdir(directories.pathOf(directory));
  await inParallel(record.entries, async ({ path, staged, before }) => {
    if (staged === undefined) return;
    const from = directories.pathOf(staged);
    const to = directories.pathOf(path);
    if (before === null) await ops.publish(from, to);
    else await ops.rename(from, to);
  });
}

/** A writer that had the old file open, or came between the last look and the rename, has left its mark on the kept file. */
async function verifyKept(
  record: JournalRecord,
  signatures: ReadonlyMap<string, string>,
  directories: OpenDirectories,
  root: string,
): Promise<void> {
  await inParallel(record.entries, async ({ path, kept, isHeld, before }) => {
    if (kept === undefined) return;
    const keptPath = directories.pathOf(kept);
    const now = stampOf(keptPath);
    const isCopy = !isHeld && now !== undefined && String(now.stats.ino) !== signatures.get(path)?.split(':')[1];
    if (isCopy) return;
    if (now?.stamp.signature !== signatures.get(path)) throw changed(path, root);
    if (now !== undefined && Date.now() - Number(now.stats.mtimeMs) < clockTickMs) {
      const content = await readVersion(keptPath);
      if (content?.version.hash !== before?.hash) throw changed(path, root);
    }
  });
}

async function syncTouched(
  record: JournalRecord,
  shelf: string | undefined,
  directories: OpenDirectories,
  ops: FileOps,
): Promise<void> {
  const touched = new Set([
    ...(shelf === undefined ? [] : [shelf, dirname(shelf)]),
    ...record.entries.map((entry) => dirname(entry.path)),
    ...record.createdDirectories.map((directory) => dirname(directory)),
    ...record.removedDirectories.map((directory) => dirname(directory)),
  ]);
  const removed = new Set(record.removedDirectories);
  await inParallel([...touched], async (directory) => {
    if (!removed.has(directory)) await ops.syncDirectory(directories.directoryOf(directory));
  });
}

async function takeBack(record: JournalRecord, context: TransactionContext, cause: unknown): Promise<void> {
  // The directories held open may be ones that the change has removed and the way back makes anew.
  const directories = new OpenDirectories();
  try {
    const problems = await rollBack(record, directories, context.ops);
    await context.forgetContents();
    await context.journal.end(context.id, 'prepared');
    if (problems.length === 0) return;
    // Somebody else's new content in its place is what the refusal is about; a version beside it is something to be looked after.
    const isRefusal = cause instanceof ToolError && problems.every(({ savedAs }) => savedAs === undefined);
    throw new ToolError(
      isRefusal ? cause.code : 'write_failed',
      `${errorMessage(cause)} ${problems.map(({ message }) => message).join(' ')}`,
      { cause, ...(isRefusal ? { hint: cause.hint, data: cause.data } : {}) },
    );
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(
      'write_failed',
      `The change failed (${errorMessage(cause)}) and could not be taken back yet (${errorMessage(error)}); it is taken back before the next change to this project.`,
      { cause: error },
    );
  } finally {
    directories.closeAll();
  }
}

function changed(path: string, root: string): ToolError {
  const file = displayPath(root, path);
  return new ToolError('file_changed', `${file} has changed since this change was worked out. Nothing was changed.`, {
    hint: 'Read the file again and repeat the change.',
    data: { file },
  });
}

function translate(error: unknown, { root, journal }: TransactionContext): unknown {
  if (error instanceof ToolError || !isErrnoException(error)) return error;
  if (error.code === 'EEXIST')
    return new ToolError('file_changed', `A file has appeared where one was to be made. Nothing was changed.`, {
      cause: error,
      hint: 'Look at the target and repeat the change.',
    });
  return writeFailed(error, root, journal.directory);
}

async function unlinkIfThere(path: string, directories: OpenDirectories, ops: FileOps): Promise<void> {
  try {
    await ops.unlink(directories.pathOf(path));
  } catch (error) {
    if (!isErrnoException(error, 'ENOENT')) throw error;
  }
}
