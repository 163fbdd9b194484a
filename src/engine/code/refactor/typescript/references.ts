import { isInside } from '../../../../base/paths.ts';
import type { RefactorTarget, RefactorWaiting } from '../model.ts';
import { fromTs, tsPosition, type TypeScriptService } from './tsService.ts';

export interface Reference {
  path: string;
  offset: number;
  line: number;
  column: number;
  lineText: string;
  isDefinition: boolean;
  isWrite: boolean;
}

/** Every place of the project that refers to a symbol, its declarations included. All files that mention the name are looked at. */
export async function referencesOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Reference[]> {
  await service.openMentions(target.name, waiting);
  await service.open([target.path]);
  const answer = await service.request<{
    refs: {
      file: string;
      start: { line: number; offset: number };
      lineText?: string;
      isDefinition?: boolean;
      isWriteAccess: boolean;
    }[];
  }>('references', { file: target.path, ...tsPosition(target.position) }, waiting);
  const found: Reference[] = [];
  for (const ref of answer.refs) {
    const isOwn = isInside(service.project.root, ref.file) && !ref.file.includes('/node_modules/');
    if (!isOwn) continue;
    const text = await service.text(ref.file);
    const { line, column } = fromTs(ref.start);
    found.push({
      path: ref.file,
      offset: text.offsetAt({ line, column }),
      line,
      column,
      lineText: (ref.lineText ?? text.lineText(line) ?? '').trim(),
      isDefinition: ref.isDefinition ?? false,
      isWrite: ref.isWriteAccess,
    });
  }
  return found;
}

/** The one declaration of a symbol; undefined when there are several or it is elsewhere. */
export async function definitionOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<{ path: string; offset: number } | undefined> {
  await service.open([target.path]);
  const found = await service.request<{ file: string; start: { line: number; offset: number } }[]>(
    'definition',
    { file: target.path, ...tsPosition(target.position) },
    waiting,
  );
  const [only] = found;
  if (only === undefined || found.length !== 1 || !isInside(service.project.root, only.file)) return undefined;
  return { path: only.file, offset: (await service.text(only.file)).offsetAt(fromTs(only.start)) };
}
