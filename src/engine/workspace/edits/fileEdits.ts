import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import { versionOf } from '../readFile.ts';
import { demandVersion } from './demandVersion.ts';
import { decodeText } from '../textEncoding.ts';
import type { AppliedChange, EditApplier } from './applier.ts';
import { reportChange, type ChangeReport } from './changeReport.ts';
import { exactEdits, type ExactReplacement } from './exactEdit.ts';
import type { ChangeOrigin, FileOperation } from './operations.ts';
import { readVersion } from './readVersion.ts';

export interface FileChange extends ChangeReport {
  file: string;
  created: boolean;
  /** False when the file had this content already; then nothing was written. */
  changed: boolean;
  /** The tag of the content now; a later write may demand that it still holds. */
  version: string;
  historyId?: string;
}

/** Writes a whole file. With `version`, only over the content that has this tag. */
export async function writeWholeFile(
  applier: EditApplier,
  project: Project,
  request: { path: string; content: string; version?: string; finish?: FinishText },
  origin: ChangeOrigin,
): Promise<FileChange> {
  const { path, content, version, finish } = request;
  const operation: FileOperation = { kind: 'write', path, content, expectedHash: version };
  const applied = await applier.apply(project, await finished(applier, project, operation, finish), origin);
  return fileChange(project, path, applied);
}

/** What is still done to a text before it is written: bringing it into the project's form. */
export type FinishText = (text: string) => Promise<string>;

/** One change for the edit and what it is finished with, so that one undo takes back both. */
async function finished(
  applier: EditApplier,
  project: Project,
  operation: FileOperation & { kind: 'write' | 'edit' },
  finish: FinishText | undefined,
): Promise<FileOperation[]> {
  if (finish === undefined) return [operation];
  const plan = await applier.plan(project, [operation]);
  const [transition] = plan.transitions;
  const bytes = plan.contents.get(transition?.after?.hash ?? '');
  const text = bytes === undefined ? undefined : decodeText(bytes)?.text;
  if (transition === undefined || text === undefined) return [operation];
  const content = await finish(text);
  const expectedHash = transition.before?.hash ?? null;
  return content === text ? [operation] : [{ kind: 'write', path: operation.path, content, expectedHash }];
}

/** Replaces exact text in a file; the error for text that is not there shows what is there instead. */
export async function replaceInFile(
  applier: EditApplier,
  project: Project,
  request: { path: string; replacements: readonly ExactReplacement[]; version?: string; finish?: FinishText },
  origin: ChangeOrigin,
): Promise<FileChange> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await replaceOnce(applier, project, request, origin);
    } catch (error) {
      // Somebody was faster. The texts say what is meant: without a version asked for, they are looked for again in what is there now.
      const isRace = error instanceof ToolError && error.code === 'file_changed' && request.version === undefined;
      if (!isRace || attempt === maxAttempts) throw error;
    }
  }
}

const maxAttempts = 100;

async function replaceOnce(
  applier: EditApplier,
  project: Project,
  request: { path: string; replacements: readonly ExactReplacement[]; version?: string; finish?: FinishText },
  origin: ChangeOrigin,
): Promise<FileChange> {
  const shown = displayPath(project.root, request.path);
  const found = await readVersion(request.path);
  if (found === null) throw new ToolError('file_not_found', `There is no ${shown}.`);
  const text = found.bytes === undefined ? undefined : decodeText(found.bytes)?.text;
  if (text === undefined)
    throw new ToolError('binary_file', `${shown} is not text. Nothing was changed.`, {
      hint: 'Only text is edited; a program made for this format can change it.',
    });
  const hash = found.version.hash;
  if (request.version !== undefined) demandVersion(shown, hash, request.version);
  const edits = request.replacements.flatMap((replacement) => exactEdits(shown, text, replacement));
  const operation: FileOperation = { kind: 'edit', path: request.path, edits, expectedHash: hash };
  const applied = await applier.apply(project, await finished(applier, project, operation, request.finish), origin);
  // Finished, it is one write; what was asked for is so many edits.
  return { ...(await fileChange(project, request.path, applied)), changesCount: edits.length };
}

async function fileChange(project: Project, path: string, applied: AppliedChange): Promise<FileChange> {
  const now = await readVersion(path);
  return {
    file: displayPath(project.root, path),
    created: applied.plan.transitions.some((one) => one.before === null),
    changed: applied.historyId !== undefined,
    version: now?.bytes === undefined ? '' : versionOf(now.bytes),
    historyId: applied.historyId,
    ...reportChange(project.root, applied.plan),
  };
}
