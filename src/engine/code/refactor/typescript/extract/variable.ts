import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import type { LineIndex, Range } from '../../../../../base/positions.ts';
import type { ExtractRequest, Proposal, RefactorWaiting } from '../../model.ts';
import { arrowExtraction, wholeExpression } from './workarounds/arrows.ts';
import { inferredTypes } from '../servers/inferredTypes.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { constantWithTypes, exactConstant, typedConstant } from './constantRepairs.ts';
import { extractAllOccurrences, extractOne } from './occurrences.ts';
import { withName } from './names.ts';
import { offeredOf, variableScope } from './scopes.ts';
import { extractPart, prepare, propose, refusal, repaired } from './steps.ts';
import { extractType, isTypeSelection } from './type.ts';
import { actionsFor, editsFor } from '../servers/serverEdits.ts';
import { withShorthand } from './shorthandValue.ts';
import type { FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { whyNoVariable } from './variableSelection.ts';
import { refuse } from '../../refusals/refuse.ts';

/** Extracts an expression into a constant in the scope around it; a type into a type of its own. */
export async function extractVariable(
  service: TypeScriptService,
  request: ExtractRequest,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const range = await prepare(service, request);
  const part = await extractPart(service, request, 'constant', range, waiting);
  if (part !== undefined) return part;
  const { path, newName } = request;
  const text = await service.text(path);
  const selected = expressionAt(path, text, range);
  if (isTypeSelection(parse(path, text.text), text.offsetAt(range.start), text.offsetAt(range.end)))
    return extractType(service, request, range, waiting);
  const made = (edits: FileEdits, where: string): Promise<Proposal> =>
    proposeShort(service, request, edits, `extract variable ${newName} (${where})`, waiting);
  if (request.all) {
    const { edits, count, conflicts, left } = extractAllOccurrences(path, text, range, newName);
    const proposed = await made(edits, counted(count, 'occurrence'));
    const lines = left.map((line) => `line ${line}`).join(', ');
    const notes = left.length === 0 ? [] : [`The same expression may have another value, and stays, on ${lines}.`];
    return { ...proposed, conflicts: [...proposed.conflicts, ...conflicts], notes };
  }
  const why = selected === undefined ? undefined : whyNoVariable(selected);
  if (why !== undefined) throw refuse('noVariable', { why });
  if (request.scope === undefined) {
    const own = arrowExtraction(path, text, range, newName);
    if (own !== undefined) return made(own, 'constant in a block of its own');
    if (selected !== undefined && isNotTakenByServer(selected))
      return made(
        extractOne(path, text, selected, newName),
        compiler().isIdentifier(selected) ? 'from one name' : 'constant in enclosing scope',
      );
  }
  const actions = await actionsFor(service, path, range, 'refactor.extract.constant', waiting);
  const wanted = variableScope(offeredOf(actions, 'constant'), request);
  if (wanted === undefined) throw refusal(actions, 'variable');
  const answer = await editsFor(service, path, range, wanted, waiting);
  const proposed = await made(await withName(service, answer, newName), wanted.description.replace(/^Extract to /, ''));
  return repaired(service, request, proposed, waiting, async (after) => {
    const tsc = compiler();
    const isCall = selected !== undefined && (tsc.isCallExpression(selected) || tsc.isNewExpression(selected));
    const types = isCall ? await inferredTypes(service, selected, waiting) : [];
    return [
      typedConstant(path, after, newName),
      constantWithTypes(path, after, newName, types),
      exactConstant(path, after, newName),
    ].filter((form) => form !== undefined);
  });
}

function expressionAt(path: string, text: LineIndex, range: Range): ts.Expression | undefined {
  return wholeExpression(parse(path, text.text), text.offsetAt(range.start), text.offsetAt(range.end));
}

/** A single name, a string that is exported, and what a class is made with. */
function isNotTakenByServer(selected: ts.Expression): boolean {
  const tsc = compiler();
  if (tsc.isIdentifier(selected)) return true;
  if (tsc.isStringLiteral(selected) && tsc.isExportAssignment(selected.parent)) return true;
  const holder = tsc.findAncestor(
    selected,
    (node) => tsc.isDecorator(node) || tsc.isHeritageClause(node) || tsc.isFunctionLike(node) || tsc.isStatement(node),
  );
  return holder !== undefined && (tsc.isDecorator(holder) || tsc.isHeritageClause(holder));
}

async function proposeShort(
  service: TypeScriptService,
  request: ExtractRequest,
  edits: FileEdits,
  summary: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  return propose(service, request, await withShorthand(service, request, edits), summary, waiting);
}
