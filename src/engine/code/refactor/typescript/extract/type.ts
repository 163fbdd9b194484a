import type ts from 'typescript-classic';
import type { Range } from '../../../../../base/positions.ts';
import type { ExtractRequest, Proposal, RefactorWaiting } from '../../model.ts';
import { compiler, tokenAt } from '../syntax/compiler.ts';
import { withName } from './names.ts';
import { propose, refusal } from './steps.ts';
import { actionsFor, editsFor } from '../servers/serverEdits.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Whether a selection is a type, or several members of one, also in a comment that documents types. */
export function isTypeSelection(source: ts.SourceFile, start: number, end: number): boolean {
  const tsc = compiler();
  const isSelected = (node: ts.Node): boolean => start <= node.getStart(source) && node.getEnd() <= end;
  const isType = (node: ts.Node): boolean => tsc.isTypeNode(node) && !tsc.isExpressionWithTypeArguments(node);
  const inComment = ((): boolean => {
    let found = false;
    const visit = (node: ts.Node): void => {
      for (const doc of tsc.getJSDocCommentsAndTags(node)) found ||= doc.pos <= start && end <= doc.end;
      if (!found) tsc.forEachChild(node, visit);
    };
    visit(source);
    return found;
  })();
  if (inComment) return true;
  for (let at: ts.Node = tokenAt(source, start); at.parent !== undefined && isSelected(at); at = at.parent)
    if (isType(at)) return true;
  // Some members of `A | B | C`.
  const around = tsc.findAncestor(tokenAt(source, start), (node) => node.pos <= start && end <= node.end);
  return around !== undefined && tsc.isUnionTypeNode(around);
}

/** Extracts a type into a type of its own: an alias, or a typedef in JavaScript. */
export async function extractType(
  service: TypeScriptService,
  request: ExtractRequest,
  range: Range,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const { path, newName } = request;
  if (!/^\p{Lu}/u.test(newName)) throw refuse('typeNotValue');
  if (request.all) throw refuse('typeOccurrences');
  const actions = await actionsFor(service, path, range, 'refactor.extract', waiting);
  const wanted = ['Extract to type alias', 'Extract to typedef']
    .flatMap((name) => actions.filter((one) => one.name === name && one.notApplicableReason === undefined))
    .at(0);
  if (wanted === undefined)
    throw refusal(
      actions.filter((one) => one.refactor === 'Extract type'),
      'type',
    );
  const edits = await withName(service, await editsFor(service, path, range, wanted, waiting), newName);
  return propose(service, request, edits, `extract type ${newName}`, waiting);
}
