import { extname } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { findAnchor } from './anchors.ts';
import type { NewBreakpoint } from './breakpointStore.ts';
import { checkExpression, type EvaluationRules } from '../evaluationPolicy.ts';
import { parseLogMessage } from './logMessage.ts';
import type { SourceTexts } from '../sourceText.ts';
import type { AdapterDescription } from '../target.ts';

/** Finds the line that is meant and refuses what cannot be one, naming the nearest that can. */
export async function placeBreakpoint(
  sources: SourceTexts,
  wanted: NewBreakpoint,
  anchor?: string,
): Promise<NewBreakpoint> {
  const { file, line } = wanted;
  if (file === undefined || line === undefined)
    throw new ToolError('breakpoint_error', 'A line breakpoint needs a file and a line.');
  const index = await sources.lines(file);
  if (index === undefined) throw new ToolError('file_not_found', `${file} is not a file that can be read.`);
  const lastLine = index.lineText(index.lineCount) === '' ? index.lineCount - 1 : index.lineCount;
  let at = line;
  if (anchor !== undefined) {
    const found = findAnchor(index, anchor, line);
    if (found === undefined)
      throw new ToolError('breakpoint_error', `No line near ${line} contains the text "${anchor}".`, {
        hint: `Line ${line} reads: ${index.lineText(line)?.trim() ?? '(past the end of the file)'}`,
      });
    at = found;
  }
  if (at < 1 || at > lastLine)
    throw new ToolError('breakpoint_error', `Line ${at} does not exist: the file has ${lastLine} lines.`, {
      hint: `Use a line from 1 to ${lastLine}.`,
      data: { lastLine },
    });
  const text = index.lineText(at) ?? '';
  return { ...wanted, line: at, ...(text.trim() === '' ? {} : { lineText: text.trim() }) };
}

/**
 * Refuses a condition or log message that does not parse or that the evaluation policy forbids. A function or an exception belongs to
 * no file: it is checked for the languages that run now. When none does, only what no language could take is refused; the rest is
 * checked when a session begins.
 */
export function checkExpressionsOf(
  wanted: NewBreakpoint,
  known: readonly AdapterDescription[],
  rules: EvaluationRules,
  running: readonly string[],
): void {
  const { file } = wanted;
  const isMeant = (each: AdapterDescription) =>
    file === undefined
      ? running.length === 0 || running.includes(each.language)
      : each.fileExtensions.includes(extname(file));
  const meant = known.filter(isMeant);
  for (const expression of expressionsOf(wanted)) {
    const problems = meant.map((adapter) =>
      adapter.expressionProblem === undefined ? unfinished(expression) : adapter.expressionProblem(expression),
    );
    const [problem] = problems;
    if (problem !== undefined && !problems.includes(undefined))
      throw new ToolError('breakpoint_error', `The expression \`${expression}\` does not parse: ${problem}`, {
        hint: "It must be an expression of the program's language; nothing was set.",
      });
    const readable = meant.filter((_, index) => problems[index] === undefined);
    const refusals = readable.map((adapter) => refusalOf(expression, adapter, rules));
    const [refusal] = refusals.filter((each) => each !== undefined);
    const isOpen = file === undefined && running.length === 0;
    if (refusal !== undefined && !(isOpen && refusals.includes(undefined))) throw refusal;
  }
}

/** What no language could take, for those whose expressions are read by their debugger alone. */
function unfinished(expression: string): string | undefined {
  const bare = expression
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '0')
    .trim()
    .replace(/(?:\+\+|--)$/, '');
  if (/[.,=<>&|^+*/%!~([{-]$|^$/.test(bare)) return 'it ends too early';
  const count = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0;
  return count(/[([{]/g) === count(/[)\]}]/g) ? undefined : 'its brackets do not match';
}

/** Why a breakpoint may not be bound in a session of this language. */
export function whyNotBound(
  wanted: Pick<NewBreakpoint, 'condition' | 'logMessage'>,
  adapter: AdapterDescription,
  rules: EvaluationRules,
): string | undefined {
  for (const expression of expressionsOf(wanted)) {
    const refusal = refusalOf(expression, adapter, rules);
    if (refusal !== undefined) return refusal.message.replace(/\.$/, '');
  }
  return undefined;
}

function expressionsOf(wanted: Pick<NewBreakpoint, 'condition' | 'logMessage'>): string[] {
  return [
    ...(wanted.condition === undefined ? [] : [wanted.condition]),
    ...parseLogMessage(wanted.logMessage ?? '').flatMap((piece) =>
      typeof piece === 'string' ? [] : [piece.expression],
    ),
  ];
}

function refusalOf(expression: string, adapter: AdapterDescription, rules: EvaluationRules): ToolError | undefined {
  try {
    checkExpression(expression, rules, adapter, adapter.guardsBreakpoints === true);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
}
