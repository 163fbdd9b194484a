import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { FileVersion } from '../edits/operations.ts';
import { unifiedDiff } from '../edits/text/unifiedDiff.ts';
import type { Project } from '../project.ts';
import { decodeText } from '../textEncoding.ts';
import type { ChangeRecord } from './changeLog.ts';
import type { LocalHistory } from './localHistory.ts';

/** A path that is no longer what a change left. */
export interface UndoConflict {
  path: string;
  /** What undo would bring back, what the change had left, and what is there instead. */
  wanted: FileVersion | null;
  expected: FileVersion | null;
  found: FileVersion | null;
  bytes?: Buffer;
  /** A folder stands there. */
  isDirectory?: boolean;
}

const maxExplainedFiles = 5;
const maxDiffChars = 1200;

/** Why a change is not taken back: what it made of each file, and what others made of that since. */
export async function undoConflict(
  history: LocalHistory,
  project: Project,
  changes: readonly ChangeRecord[],
  conflicts: readonly UndoConflict[],
): Promise<ToolError> {
  const files = [];
  const later = new Set<string>();
  const undone = await history.undoneIds(project);
  const chosen = new Set(changes.map((change) => change.id));
  const oldest = changes.at(-1)?.time ?? '';
  for (const conflict of conflicts.slice(0, maxExplainedFiles)) {
    const shown = displayPath(project.root, conflict.path);
    const since = (await history.list(project, { path: conflict.path }))
      .filter((change) => change.time > oldest && !chosen.has(change.id) && !undone.has(change.id))
      // An undo that did its work is no step to go back on: what it took back is as it was.
      .filter((change) => change.undoOf?.every((id) => undone.has(id)) !== true)
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
      now: conflict.isDirectory ? 'a folder' : conflict.found === null ? 'deleted' : 'changed since',
      /** From the state before to what the change made: this is what would be taken back. */
      changeMade: diffOf(shown, wanted, expected) || modes(conflict.wanted, conflict.expected),
      /** From what the change made to what is there now: this would be lost. */
      madeSince: diffOf(shown, expected, found) || modes(conflict.expected, conflict.found),
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
  // The file is named beside it.
  const diff = unifiedDiff(file, before, after).replace(/^--- .*\n\+\+\+ .*\n/, '');
  return diff.length > maxDiffChars ? `${diff.slice(0, maxDiffChars)}\n…` : diff;
}

/** For a change that is none of the text. */
function modes(before: FileVersion | null, after: FileVersion | null): string {
  const mode = (version: FileVersion | null) => (version?.kind === 'file' ? version.mode.toString(8) : 'none');
  return mode(before) === mode(after) ? '' : `mode ${mode(before)} to ${mode(after)}`;
}
