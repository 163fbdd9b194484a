import { lstat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { counted } from '../../../../../base/text/counted.ts';
import { ToolError } from '../../../../../base/errors.ts';
import { displayPath, isInside } from '../../../../../base/paths.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import type { FileOperation, TextEdit } from '../../../../workspace/edits/operations.ts';
import { readVersion } from '../../../../workspace/edits/readVersion.ts';
import { listFiles } from '../../../../workspace/fileListing.ts';
import { proposal, type Proposal, type RefactorWaiting } from '../../model.ts';
import { followInPackages } from './packageFiles.ts';
import { followMovedPaths } from './filePaths.ts';
import { editOperations } from '../servers/trial.ts';
import { sourcePattern, type TsFileChanges, type TypeScriptService } from '../servers/tsService.ts';

/** More files of a moved directory than this are not opened beforehand: one of each configuration is among them. */
const maxOpened = 300;

const ending = /(\.d)?\.[cm]?[jt]sx?$/;

/** Moves or renames a file or directory; every import of it, and every import in it, follows. */
export async function moveFile(
  service: TypeScriptService,
  from: string,
  to: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const isDirectory = (await lstat(from)).isDirectory();
  if (isDirectory && isInside(from, to))
    throw new ToolError('invalid_arguments', 'A directory cannot be moved into itself.');
  // Importers name the file by its stem or, for an index file, by its directory: those that mention either are loaded.
  const stem = basename(from).replace(ending, '');
  const mentions = new Set(await service.openMentions(stem, waiting));
  if (/^index$/.test(stem))
    for (const file of await service.openMentions(basename(join(from, '..')), waiting)) mentions.add(file);
  // The configurations of what moves are loaded with it: they may name it.
  await service.open(isDirectory ? await sourcesBelow(service, from) : [from]);
  const answer = await service.request<TsFileChanges[]>(
    'getEditsForFileRename',
    { oldFilePath: from, newFilePath: to },
    waiting,
  );
  const edits = await service.editsOf(answer);
  const described = await followInPackages(service, { from, to }, waiting);
  for (const [path, list] of edits) edits.set(path, await ownNamesKept(service, path, list, described.names));
  const conflicts = await followMovedPaths(service, { from, to }, edits, waiting);
  // Edits inside what moves are meant for the old place; the move itself comes after them.
  const operations: FileOperation[] = [];
  for (const [path, list] of edits)
    if (path.endsWith('.json')) {
      const read = await readVersion(path);
      const kept = asWrittenBefore(read?.bytes?.toString('utf8') ?? '', list);
      operations.push({ kind: 'edit', path, edits: kept, expectedHash: read?.version.hash });
      edits.delete(path);
    }
  operations.push(
    ...described.operations.filter(({ path }) => operations.every((one) => !('path' in one) || one.path !== path)),
  );
  for (const [path, list] of edits) if (list.length === 0) edits.delete(path);
  const files = edits.size + operations.length;
  operations.push(...editOperations(service, edits), { kind: 'rename', from, to });
  // Messages name modules without their extension.
  const renamed =
    extname(from) === extname(to) ? { from: from.replace(ending, ''), to: to.replace(ending, '') } : { from, to };
  const dependents = [...mentions].filter((file) => file !== from && !isInside(from, file));
  return proposal(
    `move ${displayPath(service.project.root, from)} to ${displayPath(service.project.root, to)}: imports in ${counted(files, 'file')} follow`,
    operations,
    { dependents, conflicts, tryOnDisk: true, renamed },
  );
}

/** A package that is imported by its own name still is: its description follows the file. */
async function ownNamesKept(
  service: TypeScriptService,
  path: string,
  edits: readonly TextEdit[],
  names: readonly string[],
): Promise<TextEdit[]> {
  if (names.length === 0 || !sourcePattern.test(path)) return [...edits];
  const text = await service.text(path);
  return edits.filter(({ range }) => {
    const was = text.text.slice(text.offsetAt(range.start), text.offsetAt(range.end));
    return !names.some((name) => was === name || was.startsWith(`${name}/`));
  });
}

async function sourcesBelow(service: TypeScriptService, directory: string): Promise<string[]> {
  const { files } = await listFiles(service.project, { folder: directory });
  return files
    .map((file) => join(service.project.root, file))
    .filter((file) => sourcePattern.test(file))
    .slice(0, maxOpened);
}

/** The server leaves out the `./` of a path in a configuration, without which the path may mean a package, or nothing. */
function asWrittenBefore(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const index = new LineIndex(text);
  return edits.map((edit) => {
    const was = text.slice(index.offsetAt(edit.range.start), index.offsetAt(edit.range.end));
    return was.startsWith('./') && !/^[./]/.test(edit.newText) ? { ...edit, newText: `./${edit.newText}` } : edit;
  });
}
