import type ts from 'typescript-classic';
import type { Range } from '../../../../base/positions.ts';
import type { ExtractRequest } from '../model.ts';
import { ancestor, compiler, tokenAt } from './compiler.ts';
import { notOffered, type TsAction } from './serverEdits.ts';
import { watchedWrites } from './watchedWrites.ts';

/** What the server can do of what it names. */
export function offeredOf(actions: readonly TsAction[], what: 'function' | 'constant'): TsAction[] {
  return actions.filter(
    (action) => action.name.startsWith(`${what}_scope_`) && action.notApplicableReason === undefined,
  );
}

export function isInner(action: TsAction): boolean {
  return action.description.startsWith('Extract to inner function');
}

/** Into the class for code of a class, else into the module: where a person would put it. The server names scopes from the inside out. */
export function functionScope(
  offered: readonly TsAction[],
  request: ExtractRequest,
  source: ts.SourceFile,
  range: Range,
): TsAction {
  const isInClass = (action: TsAction): boolean => /\bclass\b/.test(action.description);
  const inClass = offered.find(isInClass);
  const inModule = offered.findLast((action) => !isInClass(action) && !isInner(action));
  const inFunction = offered.find(isInner);
  const { scope } = request;
  const chosen =
    scope === 'class' ? inClass : scope === 'module' ? inModule : scope === 'function' ? inFunction : undefined;
  if (chosen !== undefined) return chosen;
  if (scope !== undefined)
    throw notOffered(
      `there is no ${scope} scope to extract to`,
      `Offered: ${offered.map((action) => action.description).join('; ')}`,
    );
  const offsetOf = ({ line, column }: Range['start']): number =>
    source.getPositionOfLineAndCharacter(line - 1, column - 1);
  const token = tokenAt(source, offsetOf(range.start));
  const isMember = ancestor(token, compiler().isClassLike) !== undefined;
  const isWatched = watchedWrites(source, offsetOf(range.start), offsetOf(range.end)).length > 0;
  const fallback =
    (isWatched ? inFunction : undefined) ?? (isMember ? (inClass ?? inModule) : inModule) ?? inFunction ?? offered[0];
  if (fallback === undefined) throw notOffered('no scope is offered');
  return fallback;
}

/** The innermost scope, unless another one is asked for; undefined when there is none. */
export function variableScope(offered: readonly TsAction[], { scope }: ExtractRequest): TsAction | undefined {
  const [innermost] = offered;
  if (innermost === undefined) return undefined;
  const wanted =
    scope === 'module'
      ? offered.at(-1)
      : scope === 'class'
        ? offered.find((action) => /class/.test(action.description))
        : innermost;
  if (wanted === undefined) throw notOffered(`there is no ${scope ?? ''} scope to extract to`);
  return wanted;
}
