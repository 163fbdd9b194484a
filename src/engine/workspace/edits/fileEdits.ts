import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import { currentVersion } from '../buffers/currentVersion.ts';
import type { Project } from '../project.ts';
import { versionOf } from '../readFile.ts';
import { demandVersion } from './demandVersion.ts';
import { decodeText } from '../textEncoding.ts';
import type { AppliedChange, EditApplier } from './applier.ts';
import { reportChange, type ChangeReport } from './changeReport.ts';
import { exactEdits, type ExactReplacement } from './text/exactEdit.ts';
import type { ChangeOrigin, FileOperation } from './operations.ts';
import { applyTextEdits } from './text/textEdits.ts';

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
  const operation = { kind: 'write' as const, path, content, expectedHash: version };
  const applied = await applier.apply(project, await finished(applier, project, [operation], finish), origin);
  return fileChange(project, path, applied);
}

/** What is still done to a text before it is written: bringing it into the project's form. */
export type FinishText = (text: string) => Promise<string>;

/** One change for the edits of a file and what it is finished with, so that one undo takes back both. */
async function finished(
  applier: EditApplier,
  project: Project,
  operations: readonly (FileOperation & { kind: 'write' | 'edit' })[],
  finish: FinishText | undefined,
): Promise<readonly FileOperation[]> {
  const [first] = operations;
  if (finish === undefined || first === undefined) return operations;
  const plan = await applier.plan(project, operations);
  const [transition] = plan.transitions;
  const bytes = plan.contents.get(transition?.after?.hash ?? '');
  const text = bytes === undefined ? undefined : decodeText(bytes)?.text;
  if (transition === undefined || text === undefined) return operations;
  const content = await finish(text);
  const expectedHash = transition.before?.hash ?? null;
  return content === text ? operations : [{ kind: 'write', path: first.path, content, expectedHash }];
}

/** What is to be replaced in one file, one after the other: each sees what those before it made. */
export interface FileReplacements {
  path: string;
  /** Each with its place in what was asked for, which may go to and fro between files. */
  replacements: readonly (ExactReplacement & { number: number })[];
  version?: string;
  finish?: FinishText;
}

interface FilesChange extends ChangeReport {
  files: { file: string; version: string }[];
  historyId?: string;
}

/** Replaces exact text in files, all of it or nothing; the error for text that is not there shows what is there instead. */
export async function replaceInFiles(
  applier: EditApplier,
  project: Project,
  requests: readonly FileReplacements[],
  origin: ChangeOrigin,
): Promise<FilesChange> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await replaceOnce(applier, project, requests, origin);
    } catch (error) {
      // Somebody was faster. The texts say what is meant: without a version asked for, they are looked for again in what is there now.
      const isRace = error instanceof ToolError && error.code === 'file_changed';
      if (!isRace || requests.some(({ version }) => version !== undefined) || attempt === maxAttempts) throw error;
    }
  }
}

const maxAttempts = 100;

async function replaceOnce(
  applier: EditApplier,
  project: Project,
  requests: readonly FileReplacements[],
  origin: ChangeOrigin,
): Promise<FilesChange> {
  const operations: FileOperation[] = [];
  const count = requests.reduce((sum, { replacements }) => sum + replacements.length, 0);
  let changesCount = 0;
  for (const request of requests) {
    const shown = displayPath(project.root, request.path);
    const { text: before, hash } = await textToEdit(shown, request);
    let text = before;
    const edited: (FileOperation & { kind: 'edit' })[] = [];
    for (const replacement of request.replacements) {
      const edits = oneOfMany(replacement.number, count, () => exactEdits(shown, text, replacement));
      text = applyTextEdits(text, edits, shown);
      changesCount += edits.length;
      edited.push({ kind: 'edit', path: request.path, edits, ...(edited.length === 0 ? { expectedHash: hash } : {}) });
    }
    operations.push(...(await finished(applier, project, edited, request.finish)));
  }
  const applied = await applier.apply(project, operations, origin);
  const files = await Promise.all(requests.map(({ path }) => fileNow(project, path)));
  // Finished, it is one write; what was asked for is so many edits.
  return { files, historyId: applied.historyId, ...reportChange(project.root, applied.plan), changesCount };
}

async function textToEdit(shown: string, request: FileReplacements): Promise<{ text: string; hash: string }> {
  const found = await currentVersion(request.path);
  if (found === null) throw new ToolError('file_not_found', `There is no ${shown}.`);
  const text = found.bytes === undefined ? undefined : decodeText(found.bytes)?.text;
  if (text === undefined)
    throw new ToolError('binary_file', `${shown} is not text. Nothing was changed.`, {
      hint: 'Only text is edited; a program made for this format can change it.',
    });
  const { hash } = found.version;
  if (request.version !== undefined) demandVersion(shown, hash, request.version);
  return { text, hash };
}

/** Of several edits the one that cannot be made is named. */
function oneOfMany<T>(number: number, count: number, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    if (count === 1 || !(error instanceof ToolError)) throw error;
    throw new ToolError(error.code, `Edit ${number} of ${count}: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.data === undefined ? {} : { data: error.data }),
    });
  }
}

async function fileNow(project: Project, path: string): Promise<{ file: string; version: string }> {
  const now = await currentVersion(path);
  return { file: displayPath(project.root, path), version: now?.bytes === undefined ? '' : versionOf(now.bytes) };
}

async function fileChange(project: Project, path: string, applied: AppliedChange): Promise<FileChange> {
  return {
    ...(await fileNow(project, path)),
    created: applied.plan.transitions.some((one) => one.before === null),
    changed: applied.historyId !== undefined || applied.inEditors !== undefined,
    historyId: applied.historyId,
    ...reportChange(project.root, applied.plan),
  };
}
