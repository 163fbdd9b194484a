import { join } from 'node:path';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { namesIn } from '../../../base/text/namesIn.ts';
import type { EditApplier } from '../edits/applier.ts';
import type { ChangeOrigin, FileOperation } from '../edits/operations.ts';
import type { Project } from '../project.ts';
import { languageNamed, scratchLanguageNames } from './languages.ts';

/**
 * Scratch files lie in the project's folder, so that its packages, settings and tools hold for them and every tool reaches them,
 * but in a folder that hides itself from git: no list, search or commit has them unless they are named.
 */
export const scratchFolder = '.sightline-scratch';
const ignoreFile = `${scratchFolder}/.gitignore`;
const plainName = /^[A-Za-z0-9_][\w.-]{0,80}$/;

interface NewScratch {
  language: string;
  content: string;
  /** Without its extension, or with the language's own. */
  name?: string;
}

/** Their names, sorted. */
export async function listScratchFiles(root: string): Promise<string[]> {
  return (await namesIn(join(root, scratchFolder))).filter((name) => plainName.test(name)).sort();
}

/** Makes a new one; never over another. */
export async function createScratchFile(
  applier: EditApplier,
  project: Project,
  { language, content, name }: NewScratch,
  origin: ChangeOrigin,
): Promise<{ name: string; historyId?: string }> {
  const known = languageNamed(language);
  if (known === undefined)
    throw new ToolError('invalid_arguments', `"${language}" is no language of scratch files.`, {
      hint: `Known: ${scratchLanguageNames.join(', ')}.`,
    });
  const ending = `.${known.extension}`;
  const existing = await listScratchFiles(project.root);
  const file =
    name === undefined ? freeName(ending, existing) : `${name.replace(new RegExp(`\\${ending}$`), '')}${ending}`;
  if (!plainName.test(file) || file.includes('..'))
    throw new ToolError('invalid_arguments', `"${name}" is no plain file name.`, {
      hint: 'Letters, digits, "_", "-" and "."; no folders.',
    });
  if (existing.includes(file))
    throw new ToolError('edit_conflict', `${scratchFolder}/${file} is there already.`, {
      hint: advise`Choose another name, or change it with ${step('editFile')}.`,
    });
  const operations: FileOperation[] = [
    { kind: 'create', path: ignoreFile, content: '*\n', ignoreIfExists: true },
    { kind: 'write', path: `${scratchFolder}/${file}`, content, expectedHash: null },
  ];
  const { historyId } = await applier.apply(project, operations, origin);
  return { name: file, ...(historyId === undefined ? {} : { historyId }) };
}

/** Local history keeps what they held. With the last of them the folder goes. */
export async function removeScratchFiles(
  applier: EditApplier,
  project: Project,
  names: readonly string[],
  origin: ChangeOrigin,
): Promise<{ historyId?: string }> {
  const existing = await listScratchFiles(project.root);
  const wanted = names.map((name) => name.replace(`${scratchFolder}/`, ''));
  const missing = wanted.find((name) => !existing.includes(name));
  if (missing !== undefined)
    throw new ToolError('file_not_found', `There is no scratch file "${missing}". Nothing was removed.`, {
      hint: existing.length === 0 ? undefined : `There are: ${existing.join(', ')}.`,
    });
  const isAll = existing.every((name) => wanted.includes(name));
  const operations: FileOperation[] = isAll
    ? [{ kind: 'delete', path: scratchFolder, recursive: true }]
    : wanted.map((name) => ({ kind: 'delete', path: `${scratchFolder}/${name}` }));
  const { historyId } = await applier.apply(project, operations, origin);
  return historyId === undefined ? {} : { historyId };
}

function freeName(ending: string, existing: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = `scratch${number === 1 ? '' : `-${number}`}${ending}`;
    if (!existing.includes(name)) return name;
  }
}
