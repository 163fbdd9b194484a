import { advise, parameter, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { AppliedChange, EditApplier } from '../edits/applier.ts';
import {
  sameVersion,
  type ChangeOrigin,
  type ChangePlan,
  type Move,
  type FileVersion,
  type Transition,
} from '../edits/operations.ts';
import { inParallel } from '../edits/inParallel.ts';
import { readVersion, stampOf, type FileStamp } from '../edits/readVersion.ts';
import type { Project } from '../project.ts';
import type { ChangeRecord } from './changeLog.ts';
import type { LocalHistory } from './localHistory.ts';
import { undoConflict, type UndoConflict } from './undoConflict.ts';

/** What to take back. Nothing given: the latest change of this client that has not been taken back yet. */
export interface UndoRequest {
  historyId?: string;
  /** Several, in any order. */
  historyIds?: readonly string[];
  callId?: string;
  client?: string;
  since?: Date;
}

interface UndoneChange {
  applied: AppliedChange;
  /** Latest first. */
  undone: ChangeRecord[];
}

/** Restores, to the byte, what files were before the chosen changes. Itself a change, so it can be taken back in turn. */
export async function undoChanges(
  applier: EditApplier,
  history: LocalHistory,
  project: Project,
  request: UndoRequest,
  origin: ChangeOrigin,
): Promise<UndoneChange> {
  const changes = await chooseChanges(history, project, request, origin);
  const plan = await planUndo(history, project, changes);
  const applied = await applier.apply(
    project,
    plan,
    { ...origin, summary: origin.summary ?? summaryOf(changes) },
    changes.map((change) => change.id),
  );
  return { applied, undone: changes };
}

function summaryOf(changes: readonly ChangeRecord[]): string {
  const [first] = changes;
  if (first === undefined || changes.length > 1) return `undo of ${changes.length} changes`;
  return `undo of ${first.origin.summary ?? first.origin.tool}`;
}

async function chooseChanges(
  history: LocalHistory,
  project: Project,
  request: UndoRequest,
  origin: ChangeOrigin,
): Promise<ChangeRecord[]> {
  const undone = await history.undoneIds(project);
  if (request.historyIds !== undefined) {
    const wanted = new Set(request.historyIds);
    return (await history.list(project)).filter(({ id }) => wanted.has(id) && !undone.has(id));
  }
  if (request.historyId !== undefined) {
    const change = await history.get(project, request.historyId);
    if (undone.has(change.id)) throw await undoneAlready(history, project, change, undone);
    if (!isOnlyLeftOut(change)) return [change];
    const why = (change.leftOut ?? []).map((part) => `${part.count} files: ${part.why}`).join('; ');
    throw nothing(`Nothing of ${change.id} can be taken back (${why}).`);
  }
  if (request.callId === undefined && request.client === undefined && request.since === undefined) {
    const own = await history.list(project, origin.client === undefined ? {} : { client: origin.client });
    const latest = own.find(
      (change) => change.undoOf === undefined && !isOnlyLeftOut(change) && !undone.has(change.id),
    );
    if (latest !== undefined) return [latest];
    throw nothing(
      `Nothing is left to take back: every change of yours in ${project.name} is undone already, or there was none.`,
    );
  }
  const fitting = await history.list(project, request);
  const settled = new Set(fitting.map(({ id }) => id).filter((id) => undone.has(id)));
  const chosen = fitting.filter(
    (change) => !undone.has(change.id) && !isOnlyLeftOut(change) && !isSettledUndo(change, settled),
  );
  if (chosen.length === 0)
    throw nothing(`No change in the local history of ${project.name} fits, or all that do are undone already.`);
  return chosen;
}

/** A program changed only what is not recorded. */
function isOnlyLeftOut(change: ChangeRecord): boolean {
  return change.observed === true && change.transitions.length === 0;
}

/** An undo and all that it took back, both to be taken away: that leaves nothing to do. */
function isSettledUndo(change: ChangeRecord, settled: ReadonlySet<string>): boolean {
  return change.undoOf !== undefined && change.undoOf.every((id) => settled.has(id));
}

async function undoneAlready(
  history: LocalHistory,
  project: Project,
  { id }: ChangeRecord,
  undone: ReadonlySet<string>,
): Promise<ToolError> {
  const by = (await history.list(project)).find((one) => !undone.has(one.id) && one.undoOf?.includes(id) === true);
  return new ToolError('history_not_found', `${id} is taken back already${by === undefined ? '' : ` (by ${by.id})`}.`, {
    hint:
      by === undefined
        ? advise`${step('listChanges')} shows what there is.`
        : advise`To have it again, undo with ${parameter('historyId')} ${by.id}.`,
  });
}

function nothing(message: string): ToolError {
  return new ToolError('history_not_found', message, { hint: advise`${step('listChanges')} shows what there is.` });
}

/** Latest first. Each path goes from what the latest change made of it to what the earliest found; between, the chain must hold. */
async function planUndo(
  history: LocalHistory,
  project: Project,
  changes: readonly ChangeRecord[],
): Promise<ChangePlan> {
  const target = new Map<string, { now: FileVersion | null; back: FileVersion | null }>();
  const conflicts: UndoConflict[] = [];
  for (const change of changes) {
    for (const { path, before, after } of change.transitions) {
      const known = target.get(path);
      if (known === undefined) target.set(path, { now: after, back: before });
      else {
        if (!sameVersion(known.back, after))
          conflicts.push({ path, wanted: before, expected: known.back, found: after });
        known.back = before;
      }
    }
  }
  const contents = new Map<string, Buffer>();
  const stamps = new Map<string, FileStamp>();
  const removedDirectories = changes
    .flatMap((change) => [...change.createdDirectories])
    // One that somebody has removed since needs no removing.
    .filter((directory) => stampOf(directory)?.stats.isDirectory() === true)
    .sort((a, b) => b.length - a.length);
  await inParallel([...target], async ([path, { now, back }]) => {
    const isDirectory = stampOf(path)?.stats.isDirectory() === true;
    // A folder that the change made where a file was goes with what it holds.
    const isFolder = now === null && removedDirectories.includes(path) && isDirectory;
    if (isDirectory && !isFolder) {
      conflicts.push({ path, wanted: back, expected: now, found: null, isDirectory });
      return;
    }
    const found = isFolder ? null : await readVersion(path);
    const version = found?.version ?? null;
    // Somebody else has brought it back, with git for one: there is nothing to do and nothing to lose.
    if (!isFolder && !sameVersion(version, now) && sameVersion(version, back)) {
      target.delete(path);
      return;
    }
    if (!sameVersion(version, now))
      conflicts.push({ path, wanted: back, expected: now, found: version, bytes: found?.bytes });
    if (found?.bytes !== undefined) contents.set(found.version.hash, found.bytes);
    if (found !== null) stamps.set(path, found.stamp);
  });
  if (conflicts.length > 0) throw await undoConflict(history, project, changes, conflicts);

  const transitions: Transition[] = [];
  const [only] = changes.length === 1 ? changes : [];
  const backwards = (all: readonly Move[] = []): Move[] =>
    all.filter(({ from, to }) => target.has(from) && target.has(to)).map(({ from, to }) => ({ from: to, to: from }));
  const moves = backwards(only?.moves);
  const moved = new Set(moves.flatMap((move) => [move.from, move.to]));
  await inParallel([...target], async ([path, { now, back }]) => {
    if (sameVersion(now, back)) return;
    transitions.push({ path, before: now, after: back });
    if (back === null || back.kind === 'symlink' || contents.has(back.hash) || moved.has(path)) return;
    const bytes = await history.content(project, back.hash);
    if (bytes === undefined)
      throw new ToolError(
        'history_not_found',
        `The earlier content of ${displayPath(project.root, path)} is no longer kept, so this cannot be taken back. Nothing was changed.`,
      );
    contents.set(back.hash, bytes);
  });
  return {
    transitions: transitions.sort((a, b) => (a.path < b.path ? -1 : 1)),
    moves,
    editedMoves: backwards(only?.editedMoves),
    removedDirectories,
    addedDirectories: changes.flatMap((change) => [...change.removedDirectories]).sort((a, b) => a.length - b.length),
    changesCount: transitions.length,
    contents,
    stamps,
    spans: new Map(),
  };
}
