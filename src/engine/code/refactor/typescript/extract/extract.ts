import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import type { Range } from '../../../../../base/positions.ts';
import type { TextEdit } from '../../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import type { Conflict, ExtractRequest, Proposal, RefactorWaiting } from '../../model.ts';
import { wholeExpression } from './workarounds/arrows.ts';
import { compiler, parse } from '../syntax/compiler.ts';
import { withEvolvedArrays } from './workarounds/annotateEvolvingArrays.ts';
import { callsAt, duplicatesOf } from './duplicates.ts';
import { parametersOf } from './newFunction.ts';
import { wholeFile, withName } from './names.ts';
import { repairedExtractions } from './workarounds/repairs.ts';
import { withoutPatternType, withPlainReturn } from './workarounds/returnValue.ts';
import { functionScope, isInner, offeredOf } from './scopes.ts';
import { extractPart, nameInUse, prepare, propose, refusal, repaired } from './steps.ts';
import { areFirstValues, valueApart, withFirstValueHints } from './firstValues.ts';
import { hidePatterns } from './workarounds/disguisePatterns.ts';
import { hideReturns } from './workarounds/disguiseReturns.ts';
import { withOuterThis, withoutThisParameter } from './workarounds/preserveThis.ts';
import { withLostWrites } from './workarounds/returnDestructuredWrites.ts';
import { memberClash } from './memberClash.ts';
import { extractPrepared, type Disguise } from './workarounds/preparation.ts';
import { actionsFor, editsFor, type ServerEdits, type TsAction } from '../servers/serverEdits.ts';
import { addEdit, editedTexts, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { isPartOfChain } from './variableSelection.ts';
import { keptByLoop, meansArguments, runsText, watchedWrites } from './capturedWrites.ts';
import { because, refuse } from '../../refusals/refuse.ts';

/** Extracts statements or an expression into a function or method with the name asked for. */
export async function extractMethod(
  service: TypeScriptService,
  request: ExtractRequest,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const range = await prepare(service, request);
  const text = await service.text(request.path);
  const source = parse(request.path, text.text);
  const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
  if (meansArguments(source, start, end)) throw refuse('usesArgumentsOrNewTarget');
  if (runsText(source, start, end)) throw refuse('callsEval');
  const kept = keptByLoop(source, start, end);
  if (kept !== undefined) throw refuse('keepsValueInLoop', { name: kept });
  const selected = wholeExpression(source, start, end);
  if (selected !== undefined && isPartOfChain(selected)) throw refuse('partOfChain');
  const part = await extractPart(service, request, 'function', range, waiting);
  if (part !== undefined) return part;
  const made = await functionOf(service, request, range, waiting);
  return { ...made, conflicts: [...made.conflicts, ...(await lateWrites(service, request, made, source, start, end))] };
}

/** What other functions would see too late, because the new one sets a parameter instead of the variable itself. */
async function lateWrites(
  service: TypeScriptService,
  { path, newName }: ExtractRequest,
  { operations }: Proposal,
  source: ts.SourceFile,
  start: number,
  end: number,
): Promise<Conflict[]> {
  const watched = watchedWrites(source, start, end);
  const [operation] = operations;
  if (watched.length === 0 || operation?.kind !== 'edit') return [];
  const after = parse(path, applyTextEdits((await service.text(path)).text, operation.edits, path));
  const parameters = parametersOf(after, newName);
  return watched
    .filter((name) => parameters.includes(name))
    .map((name) => ({
      kind: 'meaning',
      message: because('writesSeenTooLate', { name }),
      file: path,
    }));
}

async function functionOf(
  service: TypeScriptService,
  request: ExtractRequest,
  range: Range,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const actions = await actionsFor(service, request.path, range, 'refactor.extract.function', waiting);
  const offered = offeredOf(actions, 'function');
  const { path, newName } = request;
  const repairs = async (after: string, conflicts: readonly Conflict[]): Promise<readonly string[]> => {
    const made = { text: after, name: newName };
    const evolved = await withEvolvedArrays(service, path, await service.text(path), range, made, waiting);
    const others = repairedExtractions(path, after, newName, conflicts);
    return evolved === undefined ? others : [evolved, ...others];
  };
  const text = await service.text(path);
  if (offered.length === 0) {
    const made =
      (await extractDisguised(service, request, hideReturns(path, text, range), waiting)) ??
      (await extractDisguised(service, request, hidePatterns(path, text, range, newName), waiting));
    if (made === undefined) throw refusal(actions, 'function');
    return repaired(service, request, made, waiting, repairs);
  }
  const source = parse(request.path, text.text);
  const chosen = functionScope(offered, request, source, range);
  const inFunction = request.scope === undefined ? offered.find(isInner) : undefined;
  let first: Proposal | undefined;
  // Where it stands, code knows more of types than parameters can say, and sets variables at once.
  for (const action of new Set([chosen, inFunction ?? chosen])) {
    const proposed = await finish(service, request, range, action, waiting);
    const made = await repaired(service, request, proposed, waiting, repairs);
    if (made.conflicts.some(isDeclaredTwice)) return { ...made, conflicts: [nameInUse(request)] };
    const late = await lateWrites(service, request, made, source, text.offsetAt(range.start), text.offsetAt(range.end));
    if (late.length === 0 && made.conflicts.every(({ kind }) => kind !== 'error')) return made;
    if (first === undefined || late.length > 0) first = made;
  }
  if (first === undefined) throw refuse('noScopeOffered');
  if (onlyDeclares(source, text.offsetAt(range.start), text.offsetAt(range.end))) throw refuse('onlyDeclaresVariables');
  if (!areFirstValues(first.conflicts)) return first;
  for (const disguise of valueApart(path, text, range, newName)) {
    const proposed = await extractDisguised(service, request, disguise, waiting);
    const made = proposed && (await repaired(service, request, proposed, waiting, repairs));
    if (made?.conflicts.length === 0) return made;
  }
  return { ...first, conflicts: withFirstValueHints(first.conflicts) };
}

/** The place has something of the new name; further in it would only hide that. */
function isDeclaredTwice({ message }: Conflict): boolean {
  return /\(TS(?:2300|2393|2395|2440|2451)\)/.test(message);
}

/** What is extracted from a text that is written otherwise for the server. */
async function extractDisguised(
  service: TypeScriptService,
  request: ExtractRequest,
  disguise: Disguise | undefined,
  waiting: RefactorWaiting,
): Promise<Proposal | undefined> {
  const { path, newName } = request;
  const made = disguise && (await extractPrepared(service, request, 'function', disguise, waiting));
  const after = made && disguise?.reveal(made.after);
  if (made === undefined || after === undefined) return undefined;
  const edits = await wholeFile(service, path, withOuterThis(path, after, newName) ?? after);
  return propose(service, request, edits, `extract function ${newName} (${made.where})`, waiting);
}

function onlyDeclares(source: ts.SourceFile, start: number, end: number): boolean {
  const tsc = compiler();
  const statements: ts.Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) >= start && node.getEnd() <= end && tsc.isStatement(node)) statements.push(node);
    else if (node.pos < end && node.end > start) tsc.forEachChild(node, visit);
  };
  visit(source);
  return (
    statements.length > 0 &&
    statements.every(
      (statement) =>
        tsc.isVariableStatement(statement) &&
        statement.declarationList.declarations.every(({ initializer }) => initializer === undefined),
    )
  );
}

async function finish(
  service: TypeScriptService,
  request: ExtractRequest,
  range: Range,
  action: TsAction,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const answer = await editsFor(service, request.path, range, action, waiting);
  const others = request.all
    ? await duplicateCalls(service, request, range, action, answer, waiting)
    : { edits: [], left: [] };
  for (const edit of others.edits) addEdit(answer.edits, request.path, edit.range, edit.newText);
  const named = await withName(service, answer, request.newName);
  const edits = await withWrites(service, request, range, named);
  const count = others.edits.length > 0 ? `, ${counted(others.edits.length + 1, 'occurrence')}` : '';
  const where = `${action.description.replace(/^Extract to /, '')}${count}`;
  const proposed = await propose(service, request, edits, `extract function ${request.newName} (${where})`, waiting);
  const clash = memberClash(request.path, (await editedTexts(service, edits)).get(request.path) ?? '', request.newName);
  const message = because('memberExists', { className: clash ?? '', name: request.newName });
  const made =
    clash === undefined || proposed.conflicts.length > 0
      ? proposed
      : { ...proposed, conflicts: [{ kind: 'error' as const, message, file: request.path }] };
  const left = others.left.map((line) => `line ${line}`).join(', ');
  return left === '' ? made : { ...made, notes: [`The same code means something else, and stays, on ${left}.`] };
}

/** The same code elsewhere in the file, of which the server would make the very same function. */
async function duplicateCalls(
  service: TypeScriptService,
  request: ExtractRequest,
  range: Range,
  action: TsAction,
  answer: ServerEdits,
  waiting: RefactorWaiting,
): Promise<{ edits: TextEdit[]; left: number[] }> {
  const { path } = request;
  const asked = answer.edits.get(path) ?? [];
  const found: { edits: TextEdit[]; left: number[] } = { edits: [], left: [] };
  for (const duplicate of duplicatesOf(path, await service.text(path), range)) {
    const offered = await actionsFor(service, path, duplicate, 'refactor.extract.function', waiting);
    const same = offered.find((one) => one.description === action.description && one.notApplicableReason === undefined);
    const made = same === undefined ? undefined : await editsFor(service, path, duplicate, same, waiting);
    const calls = made === undefined ? undefined : callsAt(duplicate, made.edits.get(path) ?? [], range, asked);
    if (calls === undefined) found.left.push(duplicate.start.line);
    else found.edits.push(...calls);
  }
  return found;
}

/** With what the server's own form would lose (lostWrites.ts, innerThis.ts), and without what it hands back for nobody (extractReturn.ts). */
async function withWrites(
  service: TypeScriptService,
  { path, newName }: ExtractRequest,
  range: Range,
  edits: FileEdits,
): Promise<FileEdits> {
  const answered = (await editedTexts(service, edits)).get(path) ?? '';
  const plainly = withoutThisParameter(path, answered, newName);
  const untyped = withoutPatternType(path, plainly ?? answered, newName) ?? plainly;
  const after = untyped ?? answered;
  const kept = withLostWrites(path, after, newName) ?? untyped;
  const plain = withPlainReturn(path, await service.text(path), range, kept ?? after, newName) ?? kept;
  const text = withOuterThis(path, plain ?? after, newName) ?? plain;
  return text === undefined ? edits : wholeFile(service, path, text);
}
