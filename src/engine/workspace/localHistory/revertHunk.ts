import { ToolError } from '../../../base/errors.ts';
import { LineIndex } from '../../../base/positions.ts';
import type { AppliedChange, EditApplier } from '../edits/applier.ts';
import type { ChangeOrigin, FileOperation } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { splitLines } from '../edits/text/unifiedDiff.ts';
import type { Project } from '../project.ts';
import { decodeText } from '../textEncoding.ts';
import type { LocalHistory } from './localHistory.ts';
import { placeOfHunk, reviewOf, type ReviewedFile, type ReviewHunk, type ReviewScope } from './review.ts';

interface RevertedHunk {
  applied: AppliedChange;
  file: ReviewedFile;
  hunk: ReviewHunk;
}

/** Takes one hunk back and leaves the rest of the file as it is now. Itself a change, which undo takes back. */
export async function revertHunk(
  applier: EditApplier,
  history: LocalHistory,
  project: Project,
  scope: ReviewScope,
  hunkId: string,
  origin: ChangeOrigin,
): Promise<RevertedHunk> {
  const { files } = await reviewOf(history, project, scope);
  const file = files.find(({ hunks }) => hunks.some(({ id }) => id === hunkId));
  const hunk = file?.hunks.find(({ id }) => id === hunkId);
  if (file === undefined || hunk === undefined)
    throw new ToolError('history_not_found', `There is no hunk ${hunkId} among these changes.`, {
      hint: 'The changes have changed since; look at them again.',
    });
  const operation = await operationFor(file, hunk);
  const summary = `revert of a hunk of ${file.file}`;
  return { applied: await applier.apply(project, [operation], { ...origin, summary }), file, hunk };
}

async function operationFor(file: ReviewedFile, hunk: ReviewHunk): Promise<FileOperation> {
  const { path } = file;
  const old = hunk.lines.filter(({ mark }) => mark !== '+').map(({ text }) => text);
  const found = await readVersion(path);
  if (file.status === 'deleted') {
    if (found !== null) throw moved(file);
    return { kind: 'write', path, content: old.join(''), expectedHash: null };
  }
  const text = found?.bytes === undefined ? undefined : decodeText(found.bytes)?.text;
  if (found === null || text === undefined) throw moved(file);
  const lines = splitLines(text);
  const place = placeOfHunk(lines, hunk);
  if (place === undefined) throw moved(file);
  if (file.status === 'added' && place.from === 0 && place.to === lines.length && place.old.length === 0)
    return { kind: 'delete', path, expectedHash: found.version.hash };
  const index = new LineIndex(text);
  const offsetOf = (line: number) => lines.slice(0, line).join('').length;
  const range = { start: index.positionAt(offsetOf(place.from)), end: index.positionAt(offsetOf(place.to)) };
  return {
    kind: 'edit',
    path,
    edits: [{ range, newText: place.old.join('') }],
    expectedHash: found.version.hash,
  };
}

function moved({ file }: ReviewedFile): ToolError {
  return new ToolError(
    'file_changed',
    `${file} no longer has what this hunk made, or has it twice. Nothing was changed.`,
    {
      hint: 'Take the whole change back, or edit the file.',
    },
  );
}
