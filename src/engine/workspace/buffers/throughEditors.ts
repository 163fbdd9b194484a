import { errorMessage, ToolError } from '../../../base/errors.ts';
import { contentHash } from '../../../base/ids.ts';
import { displayPath } from '../../../base/paths.ts';
import { textOf } from '../edits/changeReport.ts';
import type { ChangePlan, TextEdit, Transition } from '../edits/operations.ts';
import { diffLines, splitLines } from '../edits/text/unifiedDiff.ts';
import type { OpenBuffer } from './bufferStore.ts';
import { peekUnsaved, unsavedBuffers, untilShown } from './unsaved.ts';

/** The parts of a change that are made in editors, and the plan that is left for the disk. */
export interface EditorPart {
  buffers: readonly { buffer: OpenBuffer; before: string; after: string }[];
  onDisk: ChangePlan;
}

/** Editors send what was typed after a pause. */
const editorMs = 5000;

/** Files with unsaved text are changed by their editor, so that its undo goes on working; what it cannot do is refused. */
export function splitOffEditors(root: string, plan: ChangePlan): EditorPart {
  const held = plan.transitions.filter(({ path }) => peekUnsaved(path) !== undefined);
  if (held.length === 0) return { buffers: [], onDisk: plan };
  const buffers = held.map((transition) => editorChange(root, plan, transition));
  const paths = new Set(held.map(({ path }) => path));
  const transitions = plan.transitions.filter(({ path }) => !paths.has(path));
  const hashes = new Set(transitions.flatMap(({ before, after }) => [before?.hash, after?.hash]));
  // What only an editor holds is not kept in local history.
  const contents = new Map([...plan.contents].filter(([hash]) => hashes.has(hash)));
  return { buffers, onDisk: { ...plan, transitions, contents } };
}

function editorChange(
  root: string,
  plan: ChangePlan,
  { path, before, after }: Transition,
): EditorPart['buffers'][number] {
  const shown = displayPath(root, path);
  const [buffer, other] = unsavedBuffers(path);
  const [old, fresh] = [textOf(plan, before), textOf(plan, after)];
  if (buffer === undefined) throw refused(`${shown} was just saved`);
  const inEditor = `${shown} has unsaved changes in ${buffer.editor.name}`;
  if (other !== undefined) throw refused(`${shown} has unsaved changes in two editors`);
  if (buffer.isLost) throw refused(`${inEditor}, whose messages about it came in the wrong order`);
  if (typeof old !== 'string' || typeof fresh !== 'string')
    throw refused(`${inEditor}; it is not moved, deleted or made anew`);
  if (before?.hash !== contentHash(Buffer.from(buffer.text, 'utf8')))
    throw new ToolError('file_changed', `${inEditor} that came meanwhile. Nothing was changed.`, {
      hint: 'Read the file again: reading shows the unsaved text.',
    });
  return { buffer, before: old, after: fresh };
}

/** Makes them all or none. The returned function takes them back. */
export async function changeInEditors(root: string, { buffers }: EditorPart): Promise<() => Promise<void>> {
  const made: EditorPart['buffers'][number][] = [];
  const takeBack = async (): Promise<void> => {
    for (const { buffer, before } of made.reverse()) await show(buffer, before).catch(() => undefined);
  };
  for (const change of buffers) {
    const { buffer, after } = change;
    try {
      await show(buffer, after);
      made.push(change);
    } catch (error) {
      await takeBack();
      const shown = displayPath(root, buffer.path);
      throw refused(
        `${shown} has unsaved changes in ${buffer.editor.name}, which did not make the edit (${errorMessage(error)})`,
      );
    }
  }
  return takeBack;
}

/** Some editors say yes to an edit that they leave out: only the text that comes back counts. */
async function show(buffer: OpenBuffer, text: string): Promise<void> {
  await buffer.editor.edit(buffer.uri, buffer.version, lineEdits(buffer.text, text));
  if (!(await untilShown(buffer, text, editorMs))) throw new Error('the text did not change as asked');
}

/** Whole lines that differ, so that marks and folds elsewhere stay. */
function lineEdits(before: string, after: string): TextEdit[] {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const startOf = (line: number) =>
    line < old.length || before.endsWith('\n') || before === ''
      ? { line: line + 1, column: 1 }
      : { line: old.length, column: (old.at(-1) ?? '').length + 1 };
  return diffLines(old, fresh).map((change) => ({
    range: { start: startOf(change.aStart), end: startOf(change.aEnd) },
    newText: fresh.slice(change.bStart, change.bEnd).join(''),
  }));
}

function refused(why: string): ToolError {
  return new ToolError('edit_conflict', `${why}. Nothing was changed.`, {
    hint: 'A person can save or close the file in the editor; then try again.',
  });
}
