import type ts from 'typescript-classic';
import { isInside } from '../../../../../base/paths.ts';
import { LineIndex } from '../../../../../base/positions.ts';
import type { RefactorTarget, RefactorWaiting } from '../../model.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { isWritten } from '../semantics/effects.ts';
import { usesTakenForGlobal } from './globalNamesakes.ts';
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
  const text = await service.text(target.path);
  for (const use of usesTakenForGlobal(target.path, text.text, text.offsetAt(target.position))) {
    const offset = use.getStart();
    if (found.some((one) => one.path === target.path && one.offset === offset)) continue;
    const { line, column } = text.positionAt(offset);
    const args = { file: target.path, line, offset: column };
    const meant = await service.request<{ file: string }[]>('definition', args, waiting);
    if (meant.some(({ file }) => file === target.path)) continue;
    const lineText = (text.lineText(line) ?? '').trim();
    found.push({ path: target.path, offset, line, column, lineText, isDefinition: false, isWrite: isWritten(use) });
  }
  return found;
}

/** The one declaration of a symbol; undefined when there are several or it is elsewhere. */
export async function definitionOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Definition | undefined> {
  const found = await definitionsOf(service, target, waiting);
  return found.length === 1 ? found[0] : undefined;
}

/** The declaration that says what a symbol is, not only its type: the variable beside an interface, the function below its overloads. */
export async function implementationOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Definition | undefined> {
  const tsc = compiler();
  const found = await definitionsOf(service, target, waiting);
  if (found.length === 1) return found[0];
  const own = found.filter(({ path, offset }) => {
    const { parent } = tokenAt(parse(path, service.textNow(path) ?? ''), offset);
    const hasBody = tsc.isFunctionLike(parent) && 'body' in parent && parent.body !== undefined;
    return hasBody || tsc.isVariableDeclaration(parent);
  });
  return own.length === 1 ? own[0] : undefined;
}

interface Definition {
  path: string;
  offset: number;
}

/** Where a symbol is declared; nothing when that is outside of the project. */
export async function definitionsOf(
  service: TypeScriptService,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Definition[]> {
  await service.open([target.path]);
  const found = await service.request<{ file: string; start: { line: number; offset: number } }[]>(
    'definition',
    { file: target.path, ...tsPosition(target.position) },
    waiting,
  );
  const places: Definition[] = [];
  for (const { file, start } of found) {
    if (!isInside(service.project.root, file)) return [];
    places.push({ path: file, offset: (await service.text(file)).offsetAt(fromTs(start)) });
  }
  return places;
}

/** The use that was pointed at. */
export function useAt(uses: readonly ts.Node[], target: RefactorTarget): ts.Node | undefined {
  return uses.find((use) => {
    const file = use.getSourceFile();
    if (file.fileName !== target.path) return false;
    const offset = new LineIndex(file.text).offsetAt(target.position);
    return use.getStart(file) <= offset && offset <= use.getEnd();
  });
}
