import { advise, parameter } from '../../../../../base/text/advice.ts';
import { ToolError } from '../../../../../base/errors.ts';
import type { LineIndex, Range } from '../../../../../base/positions.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import { proposal, type Conflict, type ExtractRequest, type Proposal, type RefactorWaiting } from '../../model.ts';
import { refuseBroken } from '../syntax/brokenCode.ts';
import { invalidName } from '../syntax/compiler.ts';
import { wholeFile } from './names.ts';
import { partOfJsx } from './jsxParts.ts';
import { isCaptured } from './nameCapture.ts';
import { extractPrepared, type PreparedText } from './workarounds/preparation.ts';
import { type TsAction } from '../servers/serverEdits.ts';
import { partOfString } from './workarounds/stringParts.ts';
import { editedTexts, editOperations, tryContents, type FileEdits } from '../servers/trial.ts';
import type { TypeScriptService } from '../servers/tsService.ts';
import { because, refuse } from '../../refusals/refuse.ts';

/** What is to be extracted, as the server expects a selection. */
export async function prepare(service: TypeScriptService, request: ExtractRequest): Promise<Range> {
  const why = invalidName(request.newName);
  if (why !== undefined)
    throw new ToolError('invalid_arguments', `${why}.`, { hint: advise`Choose another ${parameter('newName')}.` });
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

export async function propose(
  service: TypeScriptService,
  request: ExtractRequest,
  edits: FileEdits,
  summary: string,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const checker = await service.checker();
  const texts = await editedTexts(checker, edits);
  const before = await service.text(request.path);
  const after = texts.get(request.path) ?? '';
  refuseBroken(request.path, before.text, after, before.offsetAt(request.range.start));
  const { conflicts, tried } = await tryContents(checker, texts, [], waiting);
  if (conflicts.length === 0 && isCaptured(request.path, before.text, after, request.newName))
    conflicts.push(nameInUse(request));
  return proposal(summary, editOperations(service, edits), { conflicts, tried });
}

export function nameInUse({ path, newName }: ExtractRequest): Conflict {
  return { kind: 'name', message: because('nameInUse', { name: newName }), file: path };
}

/** A selection that is part of something the server would take as a whole, or not at all. */
export async function extractPart(
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
  if (request.all === true) throw refuse('partOfSomething');
  const made = await extractPrepared(service, request, what, prepared, waiting);
  if (made === undefined) throw refuse('cannotStandForItself');
  const edits = await wholeFile(service, path, made.after);
  const shown = what === 'constant' ? 'variable' : what;
  return propose(service, request, edits, `extract ${shown} ${newName} (${made.where})`, waiting);
}

/** The same in another form, when the server's own does not compile and that one does. */
export async function repaired(
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

/** What the server says shortly, and how it is said here. */
const serverReasons = [
  [/conditional return/, 'returnsSometimes'],
  [/conditional break or continue/, 'leavesLoop'],
  [/No reason to extract constant/, 'callWithoutValue'],
  [/exported declaration/, 'declaresWhatIsUsed'],
  [/more than a single identifier/, 'nothingButName'],
] as const;

export function refusal(actions: readonly TsAction[], what: string): ToolError {
  const reason = actions.find((action) => action.notApplicableReason !== undefined)?.notApplicableReason;
  if (reason === undefined) return refuse('nothingToExtract', { what });
  const known = serverReasons.find(([pattern]) => pattern.test(reason));
  return known === undefined ? refuse('serverDoesNotExtract', { reason }) : refuse(known[1]);
}
