import type ts from 'typescript-classic';
import { counted } from '../../../../base/counted.ts';
import { ToolError } from '../../../../base/errors.ts';
import type { LineIndex, Range } from '../../../../base/positions.ts';
import type { TextEdit } from '../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../workspace/edits/textEdits.ts';
import { proposal, type Conflict, type ExtractRequest, type Proposal, type RefactorWaiting } from '../model.ts';
import { arrowExtraction, wholeExpression } from './arrowExtraction.ts';
import { inferredTypes } from './callTypes.ts';
import { compiler, invalidName, parse } from './compiler.ts';
import { extractAllOccurrences, extractName } from './extractAll.ts';
import { callsAt, duplicatesOf } from './extractDuplicates.ts';
import { isTaken, wholeFile, withName } from './extractNames.ts';
import { parametersOf } from './extractedFunction.ts';
import { constantWithTypes, repairedExtractions, typedConstant } from './extractRepairs.ts';
import { withEvolvedArrays } from './evolvedArrays.ts';
import { areFirstValues, valueApart, withFirstValueHints } from './firstValues.ts';
import { functionScope, isInner, offeredOf, variableScope } from './extractScopes.ts';
import { withoutPatternType, withPlainReturn } from './extractReturn.ts';
import { hidePatterns } from './hiddenPatterns.ts';
import { hideReturns } from './hiddenReturns.ts';
import { withOuterThis } from './innerThis.ts';
import { partOfJsx } from './jsxParts.ts';
import { withLostWrites } from './lostWrites.ts';
import { extractPrepared, type Disguise, type PreparedText } from './preparedExtraction.ts';
import { actionsFor, editsFor, notOffered, type ServerEdits, type TsAction } from './serverEdits.ts';
import { partOfString } from './stringParts.ts';
import { addEdit, editedTexts, editOperations, tryContents, type FileEdits } from './trial.ts';
import type { TypeScriptService } from './tsService.ts';
import { whyNoVariable, whyNotApart } from './variableSelection.ts';
import { meansArguments, watchedWrites } from './watchedWrites.ts';

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
  if (meansArguments(source, start, end))
    throw notOffered(
      'the selection uses "arguments" or "new.target", which are those of the new function in a function of its own',
      'Give them a name before the selection first: const args = arguments;',
    );
  const selected = wholeExpression(source, start, end);
  const why = selected === undefined ? undefined : whyNotApart(selected);
  if (why !== undefined) throw notOffered(why, 'Select the whole chain.');
  const part = await extractPart(service, request, 'function', range, waiting);
  if (part !== undefined) return part;
  const made = await functionOf(service, request, range, waiting);
  return { ...made, conflicts: [...made.conflicts, ...(await lateWrites(service, request, made, source, start, end))] };
}

/** A selection that is part of something the server would take as a whole, or not at all. */
async function extractPart(
  service: TypeScriptService,
  request: ExtractRequest,
  what: 'function' | 'constant',
  range: Range,
  waiting: RefactorWaiting,
): Promise<Proposal | undefined> {
  const { path, newName } = request;
  const text = await service.text(path);
  const prepared = partOf(request, text, range);
  if (prepared === undefined || prepared.text === text.text) return undefined;
  if (request.all === true)
    throw notOffered('the selection is a part of something', 'Extract one occurrence (all: false).');
  const made = await extractPrepared(service, request, what, prepared, waiting);
  if (made === undefined) throw notOffered('the selection cannot stand for itself');
  const edits = await wholeFile(service, path, made.after);
  const shown = what === 'constant' ? 'variable' : what;
  return propose(service, request, edits, `extract ${shown} ${newName} (${made.where})`, waiting);
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
      message: `the selection sets "${name}" while other functions look at it, and they would see that too late`,
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
  if (onlyDeclares(source, text.offsetAt(range.start), text.offsetAt(range.end)))
    throw notOffered('the selection only declares variables, there is nothing in it that a function could do');
  const chosen = functionScope(offered, request, source, range);
  const inFunction = request.scope === undefined ? offered.find(isInner) : undefined;
  let first: Proposal | undefined;
  // Where it stands, code knows more of types than parameters can say.
  for (const action of new Set([chosen, inFunction ?? chosen])) {
    const proposed = await finish(service, request, range, action, 'function', waiting);
    const made = await repaired(service, request, proposed, waiting, repairs);
    if (made.conflicts.every(({ kind }) => kind !== 'error')) return made;
    first ??= made;
  }
  if (first === undefined) throw notOffered('no scope is offered');
  if (!areFirstValues(first.conflicts)) return first;
  for (const disguise of valueApart(path, text, range, newName)) {
    const proposed = await extractDisguised(service, request, disguise, waiting);
    const made = proposed && (await repaired(service, request, proposed, waiting, repairs));
    if (made?.conflicts.length === 0) return made;
  }
  return { ...first, conflicts: withFirstValueHints(first.conflicts) };
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

/** The same in another form, when the server's own does not compile and that one does. */
async function repaired(
  service: TypeScriptService,
  request: ExtractRequest,
  proposed: Proposal,
  waiting: RefactorWaiting,
  formsOf: (after: string, conflicts: readonly Conflict[]) => readonly string[] | Promise<readonly string[]>,
): Promise<Proposal> {
  const { summary, operations, conflicts } = proposed;
  const [operation] = operations;
  if (conflicts.every(({ kind }) => kind !== 'error') || operations.length !== 1 || operation?.kind !== 'edit')
    return proposed;
  const before = await service.text(request.path);
  const after = applyTextEdits(before.text, operation.edits, request.path);
  for (const text of await formsOf(after, conflicts)) {
    const edits = await wholeFile(service, request.path, text);
    const other = await propose(service, request, edits, summary, waiting);
    if (other.conflicts.length === 0) return other;
  }
  return proposed;
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

/** Extracts an expression into a constant in the scope around it. */
export async function extractVariable(
  service: TypeScriptService,
  request: ExtractRequest,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const range = await prepare(service, request);
  const part = await extractPart(service, request, 'constant', range, waiting);
  if (part !== undefined) return part;
  if (request.all) {
    const { edits, count } = extractAllOccurrences(
      request.path,
      await service.text(request.path),
      range,
      request.newName,
    );
    return propose(service, request, edits, `extract variable ${request.newName} (${count} occurrences)`, waiting);
  }
  const text = await service.text(request.path);
  const selected = wholeExpression(
    parse(request.path, text.text),
    text.offsetAt(range.start),
    text.offsetAt(range.end),
  );
  const why = selected === undefined ? undefined : whyNoVariable(selected);
  if (why !== undefined) throw notOffered(why, 'Select more of the expression, or extract a function.');
  const own = request.scope === undefined ? arrowExtraction(request.path, text, range, request.newName) : undefined;
  if (own !== undefined)
    return propose(
      service,
      request,
      own,
      `extract variable ${request.newName} (constant in a block of its own)`,
      waiting,
    );
  if (selected !== undefined && compiler().isIdentifier(selected) && request.scope === undefined) {
    const edits = extractName(request.path, text, selected, request.newName);
    return propose(service, request, edits, `extract variable ${request.newName} (from one name)`, waiting);
  }
  const actions = await actionsFor(service, request.path, range, 'refactor.extract.constant', waiting);
  const wanted = variableScope(offeredOf(actions, 'constant'), request);
  if (wanted === undefined) throw refusal(actions, 'variable');
  const proposed = await finish(service, request, range, wanted, 'variable', waiting);
  return repaired(service, request, proposed, waiting, async (after) => {
    const { path, newName } = request;
    const tsc = compiler();
    const isCall = selected !== undefined && (tsc.isCallExpression(selected) || tsc.isNewExpression(selected));
    const types = isCall ? await inferredTypes(service, selected, waiting) : [];
    return [typedConstant(path, after, newName), constantWithTypes(path, after, newName, types)].filter(
      (form) => form !== undefined,
    );
  });
}

async function prepare(service: TypeScriptService, request: ExtractRequest): Promise<Range> {
  const why = invalidName(request.newName);
  if (why !== undefined) throw new ToolError('invalid_arguments', `${why}.`, { hint: 'Choose another new_name.' });
  await service.formatFor(request.path);
  const text = await service.text(request.path);
  const range = trimmed(text, request.range);
  const prepared = partOf(request, text, range);
  if (prepared === undefined || prepared.text !== text.text) return range;
  return { start: text.positionAt(prepared.start), end: text.positionAt(prepared.end) };
}

function partOf({ path, range: asked }: ExtractRequest, lines: LineIndex, range: Range): PreparedText | undefined {
  const offsets = ({ start, end }: Range): [number, number] => [lines.offsetAt(start), lines.offsetAt(end)];
  // Blanks at the ends of a part of a string are part of it.
  return partOfString(path, lines.text, ...offsets(asked)) ?? partOfJsx(path, lines.text, ...offsets(range));
}

/** Without blanks and line ends around it, and without a semicolon after an expression: what the server expects of a selection. */
function trimmed(text: LineIndex, range: Range): Range {
  let start = text.offsetAt(range.start);
  let end = text.offsetAt(range.end);
  while (start < end && /\s/.test(text.text[start] ?? '')) start++;
  while (end > start && /\s/.test(text.text[end - 1] ?? '')) end--;
  if (start === end) throw new ToolError('invalid_arguments', 'The range to extract is empty.');
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

/** What the server says shortly, and what to do about it. */
const reasons: readonly [RegExp, string, string][] = [
  [
    /conditional return/,
    'the selection returns in some cases and goes on in others',
    'Select up to the end of the function, or leave the return out.',
  ],
  [
    /conditional break or continue/,
    'the selection leaves a loop, or goes on with one, that is not selected itself',
    'Select the whole loop, or leave the break or continue out.',
  ],
  [
    /No reason to extract constant/,
    'the selection has no value: what it calls returns nothing',
    'ide_refactor_extract_method makes a function of it.',
  ],
  [
    /exported declaration/,
    'the selection declares something by a pattern or as a function or class, which the code after it uses',
    'Select less, or more of what uses it.',
  ],
  [/more than a single identifier/, 'the selection is nothing but a name', 'Select more than a name.'],
];

function refusal(actions: readonly TsAction[], what: string): ToolError {
  const reason = actions.find((action) => action.notApplicableReason !== undefined)?.notApplicableReason;
  const known = reasons.find(([pattern]) => reason !== undefined && pattern.test(reason));
  if (known !== undefined) return notOffered(known[1], known[2]);
  return notOffered(
    reason ?? `the selection is not something a ${what} can be made of`,
    'Select whole statements, or one whole expression.',
  );
}

async function finish(
  service: TypeScriptService,
  request: ExtractRequest,
  range: Range,
  action: TsAction,
  what: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const answer = await editsFor(service, request.path, range, action, waiting);
  const isAll = request.all === true && what === 'function';
  const others = isAll
    ? await duplicateCalls(service, request, range, action, answer, waiting)
    : { edits: [], left: [] };
  for (const edit of others.edits) addEdit(answer.edits, request.path, edit.range, edit.newText);
  const named = await withName(service, answer, request.newName);
  const edits = what === 'function' ? await withWrites(service, request, range, named) : named;
  const count = others.edits.length > 0 ? `, ${counted(others.edits.length + 1, 'occurrence')}` : '';
  const where = `${action.description.replace(/^Extract to /, '')}${count}`;
  const made = await propose(service, request, edits, `extract ${what} ${request.newName} (${where})`, waiting);
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
  const untyped = withoutPatternType(path, answered, newName);
  const after = untyped ?? answered;
  const kept = withLostWrites(path, after, newName) ?? untyped;
  const plain = withPlainReturn(path, await service.text(path), range, kept ?? after, newName) ?? kept;
  const text = withOuterThis(path, plain ?? after, newName) ?? plain;
  return text === undefined ? edits : wholeFile(service, path, text);
}

async function propose(
  service: TypeScriptService,
  request: ExtractRequest,
  edits: FileEdits,
  summary: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const checker = await service.checker();
  const { conflicts, tried } = await tryContents(checker, await editedTexts(checker, edits), [], waiting);
  if (conflicts.length === 0 && (await isTaken(service, request)))
    conflicts.push({
      kind: 'name',
      message: `"${request.newName}" is in use in this file already`,
      file: request.path,
    });
  return proposal(summary, editOperations(service, edits), { conflicts, tried });
}
