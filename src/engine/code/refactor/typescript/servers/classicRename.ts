import { isJavascriptFile } from '../../../../../base/languages/byPath.ts';
import type { Position, Range } from '../../../../../base/positions.ts';
import { SeenFiles } from '../../../../workspace/edits/seenFiles.ts';
import type { RefactorWaiting } from '../../model.ts';
import type { RenameBackend, RenamePlace } from './backend.ts';
import { fromTs, tsPosition, type TypeScriptService } from './tsService.ts';

/**
 * Renames by the classic server. It knows what JavaScript means that assigns to `exports`, `this` and prototypes, across files;
 * the native server does not.
 */
export function classicRename(service: TypeScriptService): RenameBackend {
  return {
    project: service.project,
    seen: new SeenFiles(),
    open: (paths) => service.open(paths),
    text: (path) => service.text(path),
    hashOf: (path) => service.hashOf(path),
    overlaid: (contents, work) => service.overlaid(contents, work),
    problems: (paths, waiting) => service.problems(paths, waiting),
    definitions: (path, position, waiting) => definitions(service, path, position, waiting),
    renamePlaces: (path, position, _newName, waiting) => renamePlaces(service, path, position, waiting),
  };
}

interface TsSpan {
  start: { line: number; offset: number };
  end: { line: number; offset: number };
}

async function definitions(
  service: TypeScriptService,
  path: string,
  position: Position,
  waiting: RefactorWaiting,
): Promise<{ path: string; range: Range }[]> {
  await service.open([path]);
  const found = await service.request<(TsSpan & { file: string })[]>(
    'definition',
    { file: path, ...tsPosition(position) },
    waiting,
  );
  return found.map(({ file, start, end }) => ({ path: file, range: { start: fromTs(start), end: fromTs(end) } }));
}

async function renamePlaces(
  service: TypeScriptService,
  path: string,
  position: Position,
  waiting: RefactorWaiting,
): Promise<RenamePlace[] | { refused: string }> {
  const answer = await service.request<{
    info: { canRename: boolean; localizedErrorMessage?: string };
    locs: { file: string; locs: (TsSpan & { prefixText?: string; suffixText?: string })[] }[];
  }>('rename', { file: path, ...tsPosition(position) }, waiting);
  if (!answer.info.canRename)
    return { refused: answer.info.localizedErrorMessage ?? 'the TypeScript server gives no reason' };
  return answer.locs.flatMap(({ file, locs }) =>
    locs.map(({ start, end, prefixText, suffixText }) => ({
      path: file,
      range: { start: fromTs(start), end: fromTs(end) },
      prefix: prefixText ?? '',
      suffix: suffixText ?? '',
    })),
  );
}

/** Opens what could refer to a name, so that the server has loaded it. */
export async function openForRename(
  service: TypeScriptService,
  path: string,
  name: string,
  waiting: RefactorWaiting,
): Promise<void> {
  await service.open([path]);
  await service.openMentions(name, waiting);
}

export function isJavaScript(path: string): boolean {
  return isJavascriptFile(path);
}
