import type ts from 'typescript-classic';
import type { Range } from '../../../../../base/positions.ts';
import type { ExtractRequest } from '../../model.ts';
import { ancestor, compiler, tokenAt } from '../syntax/compiler.ts';
import { type TsAction } from '../servers/serverEdits.ts';
import { refuse } from '../../refusals/refuse.ts';

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
  const offsetOf = ({ line, column }: Range['start']): number =>
    source.getPositionOfLineAndCharacter(line - 1, column - 1);
  const token = tokenAt(source, offsetOf(range.start));
  const isInClass = (action: TsAction): boolean => /\bclass\b/.test(action.description);
  // The server would call a method of whatever "this" is there.
  const hasOtherThis = isWithinOtherThis(token, offsetOf(range.start), offsetOf(range.end));
  const inClass = hasOtherThis ? undefined : offered.find(isInClass);
  const inModule = offered.findLast((action) => !isInClass(action) && !isInner(action));
  const inFunction = offered.find(isInner);
  const { scope } = request;
  const chosen =
    scope === 'class' ? inClass : scope === 'module' ? inModule : scope === 'function' ? inFunction : undefined;
  if (chosen !== undefined) return chosen;
  if (scope === 'class' && hasOtherThis) throw refuse('thisIsNotClass');
  if (scope !== undefined)
    throw refuse('noSuchScope', { scope, offered: offered.map((action) => action.description).join('; ') });
  const isMember = ancestor(token, compiler().isClassLike) !== undefined;
  const fallback = (isMember ? (inClass ?? inModule) : inModule) ?? inFunction ?? offered[0];
  if (fallback === undefined) throw refuse('noScopeOffered');
  return fallback;
}

/** Whether a function with a "this" of its own stands between the selected code and its class. */
function isWithinOtherThis(token: ts.Node, start: number, end: number): boolean {
  const tsc = compiler();
  for (let node: ts.Node = token; !tsc.isSourceFile(node) && !tsc.isClassLike(node); node = node.parent) {
    const isSelected = node.getStart() >= start && node.getEnd() <= end;
    const isOfObject = tsc.isFunctionLike(node) && tsc.isObjectLiteralExpression(node.parent);
    if (!isSelected && (tsc.isFunctionExpression(node) || tsc.isFunctionDeclaration(node) || isOfObject)) return true;
  }
  return false;
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
  if (wanted === undefined) throw refuse('noScopeOfThatKind', { scope: scope ?? '' });
  return wanted;
}
