import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { AppliedChange, EditApplier } from '../edits/applier.ts';
import {
  sameVersion,
  type ChangeOrigin,
  type ChangePlan,
  type FileVersion,
  type Transition,
} from '../edits/operations.ts';
import { inParallel } from '../edits/inParallel.ts';
import { readVersion, stampOf, type FileStamp } from '../edits/readVersion.ts';
import { unifiedDiff } from '../edits/unifiedDiff.ts';
import type { Project } from '../project.ts';
import { decodeText } from '../textEncoding.ts';
import type { ChangeRecord } from './changeLog.ts';
import type { LocalHistory } from './localHistory.ts';

/** What to take back. Nothing given: the latest change of this client that has not been taken back yet. */
export interface UndoRequest {
  historyId?: string;
  callId?: string;
  client?: string;
  since?: Date;
}

export interface UndoneChange {
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
    origin,
    changes.map((change) => change.id),
  );
  return { applied, undone: changes };
}

async function chooseChanges(
  history: LocalHistory,
  project: Project,
  request: UndoRequest,
  origin: ChangeOrigin,
): Promise<ChangeRecord[]> {
  if (request.historyId !== undefined) {
    const change = await history.get(project, request.historyId);
    if (!isOnlyLeftOut(change)) return [change];
    const why = (change.leftOut ?? []).map((part) => `${part.count} files: ${part.why}`).join('; ');
    throw nothing(`Nothing of ${change.id} can be taken back (${why}).`);
  }
  const undone = await history.undoneIds(project);
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
  const chosen = (await history.list(project, request)).filter(
    (change) => !undone.has(change.id) && !isOnlyLeftOut(change) && !isSettledUndo(change, undone),
  );
  if (chosen.length === 0)
    throw nothing(`No change in the local history of ${project.name} fits, or all that do are undone already.`);
  return chosen;
}

/** A program changed only what is not recorded. */
function isOnlyLeftOut(change: ChangeRecord): boolean {
  return change.observed === true && change.transitions.length === 0;
}

/** An undo whose changes are all undone still has done its work: taking both away leaves nothing to do. */
function isSettledUndo(change: ChangeRecord, undone: ReadonlySet<string>): boolean {
  return change.undoOf !== undefined && change.undoOf.every((id) => undone.has(id));
}

function nothing(message: string): ToolError {
  return new ToolError('history_not_found', message, { hint: 'list_changes shows what there is.' });
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
    .sort((a, b) => b.length - a.length);
  await inParallel([...target], async ([path, { now, back }]) => {
    // A folder that the change made where a file was goes with what it holds.
    const isFolder = now === null && removedDirectories.includes(path) && stampOf(path)?.stats.isDirectory() === true;
    const found = isFolder ? null : await readVersion(path);
    if (!sameVersion(found?.version ?? null, now))
      conflicts.push({ path, wanted: back, expected: now, found: found?.version ?? null, bytes: found?.bytes });
    if (found?.bytes !== undefined) contents.set(found.version.hash, found.bytes);
    if (found !== null) stamps.set(path, found.stamp);
  });
  if (conflicts.length > 0) throw await conflictError(history, project, changes, conflicts);

  const transitions: Transition[] = [];
  const moves = changes.length === 1 ? (changes[0]?.moves ?? []).map(({ from, to }) => ({ from: to, to: from })) : [];
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
    removedDirectories,
    addedDirectories: changes.flatMap((change) => [...change.removedDirectories]).sort((a, b) => a.length - b.length),
    changesCount: transitions.length,
    contents,
    stamps,
    spans: new Map(),
  };
}

interface UndoConflict {
  path: string;
  /** What undo would bring back, what the change had left, and what is there instead. */
  wanted: FileVersion | null;
  expected: FileVersion | null;
  found: FileVersion | null;
  bytes?: Buffer;
}

const maxExplainedFiles = 5;
const maxDiffChars = 1200;

async function conflictError(
  history: LocalHistory,
  project: Project,
  changes: readonly ChangeRecord[],
  conflicts: readonly UndoConflict[],
): Promise<ToolError> {
  const files = [];
  const later = new Set<string>();
  const chosen = new Set(changes.map((change) => change.id));
  const oldest = changes.at(-1)?.time ?? '';
  for (const conflict of conflicts.slice(0, maxExplainedFiles)) {
    const shown = displayPath(project.root, conflict.path);
    const since = (await history.list(project, { path: conflict.path }))
      .filter((change) => change.time > oldest && !chosen.has(change.id))
      .map((change) => change.id);
    for (const id of since) later.add(id);
    const text = async (version: FileVersion | null): Promise<string | undefined> => {
      if (version === null) return '';
      const bytes =
        version.hash === conflict.found?.hash
          ? (conflict.bytes ?? (await history.content(project, version.hash)))
          : await history.content(project, version.hash);
      return bytes === undefined ? undefined : decodeText(bytes)?.text;
    };
    const [wanted, expected, found] = [
      await text(conflict.wanted),
      await text(conflict.expected),
      await text(conflict.found),
    ];
    files.push({
      file: shown,
      now: conflict.found === null ? 'deleted' : 'changed since',
      /** From the state before to what the change made: this is what would be taken back. */
      changeMade: diffOf(shown, wanted, expected),
      /** From what the change made to what is there now: this would be lost. */
      madeSince: diffOf(shown, expected, found),
      laterChanges: since,
    });
  }
  const names = conflicts.map((conflict) => displayPath(project.root, conflict.path));
  const listed = [...new Set(names)].slice(0, maxExplainedFiles).join(', ');
  return new ToolError(
    'undo_conflict',
    `${listed}${names.length > maxExplainedFiles ? ` and ${names.length - maxExplainedFiles} more` : ''} moved on since that change, so taking it back would lose later work. Nothing was changed.`,
    {
      hint:
        later.size > 0
          ? `Take back the later changes first: ${[...later].slice(0, 5).join(', ')}.`
          : 'The later edit was not made through Sightline; edit the file by hand, using the differences given.',
      data: { files },
    },
  );
}

function diffOf(file: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return '(not text, or no longer kept)';
  const diff = unifiedDiff(file, before, after);
  return diff.length > maxDiffChars ? `${diff.slice(0, maxDiffChars)}\n…` : diff;
}
