import { z } from 'zod';
import { errorMessage, ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import type { ProbeOutcome } from '../../engine/debugger/probe.ts';
import type { Session } from '../../engine/debugger/session/session.ts';
import { pointOf } from '../debugger/shapes/points.ts';
import { readerOf } from '../debugger/shapes/reader.ts';
import { reportOptionsFor } from '../debugger/shapes/reportOptions.ts';
import { defineTool } from '../defineTool.ts';
import { probeData, probeOutput, renderProbe } from '../probe/debugProbe.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { clipValue } from './valueText.ts';

const maxReached = 50;
const maxShown = 5;
const maxValueChars = 200;

export const debugTry = defineTool({
  name: 'debug_try',
  title: 'Try a change',
  description:
    'Would it pass if? Runs a test or program, sets variables or evaluates `call` each time a line is about to run, and gives the verdict. No file is edited.',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'execute',
  rare: rareRunParameters,
  paths: { program: 'existing', 'at.file': 'readable' },
  input: z.object({
    ...runShape,
    at: z.object({ file: z.string(), line: z.int().min(1), condition: z.string().optional() }),
    set: z.record(z.string(), z.string()).optional().describe('name: expression'),
    call: z.string().optional(),
  }),
  output: z.object({
    verdict: z.string(),
    /** How often the line was reached. */
    reached: z.int(),
    /** `total: 10 -> 15`, for the first times. */
    tried: z.array(z.string()),
    ...probeOutput.shape,
  }),
  run: async (engines, args, call) => {
    const attempt = attemptOf(args.set ?? {}, args.call);
    const place = `${displayPath(call.project.root, args.at.file)}:${args.at.line}`;
    const tried: string[] = [];
    const outcome = await recordedDebugging(engines, call, () =>
      engines.debugger.probe(call.project, startRequest(args), {
        breakpoints: [pointOf(args.at)],
        maxHits: maxReached,
        ...runLimits(args, call),
        ownerId: call.client.id,
        reportOptions: reportOptionsFor(call.budget),
        atBreakpoint: async (session) => {
          const made = await attempt(session).catch((error: unknown) => {
            throw new ToolError('evaluation_error', `At ${place}: ${errorMessage(error)}`, {
              hint: 'The program was ended there. Only names that exist before the line runs can be set.',
            });
          });
          tried.push(made);
        },
      }),
    );
    if (outcome.end.language === 'node') {
      const index = await engines.debugger.sources.lines(args.at.file);
      const text = (line: number) => index?.lineText(line) ?? '';
      for (const name of Object.keys(args.set ?? {}))
        if (comesLate(name, text(args.at.line - 1), text(args.at.line)))
          call.note(`The line before assigns ${name}, so V8 may have read it already when it was set: try it earlier`);
    }
    const isTest = args.test !== undefined;
    const data = probeData(outcome, readerOf(call, 'more with max_chars'), isTest);
    const shown = tried.slice(0, maxShown).map((each) => `${place} ${each}`);
    const isEndless = tried.length >= maxReached;
    return {
      ...data,
      verdict: verdictOf(outcome, place, tried.length, isTest),
      reached: tried.length,
      tried: tried.length > maxShown ? [...shown, `(+${tried.length - maxShown} more times)`] : shown,
      // What was seen at the line is in `tried`.
      hits: data.hits.filter(({ reason }) => reason === 'exception'),
      ...(isEndless
        ? { stoppedEarly: `Ended when ${place} was reached for the ${maxReached}th time: at.condition picks one.` }
        : {}),
    };
  },
  render: ({ verdict, tried, ...data }) => [verdict, ...tried, renderProbe(data)].join('\n'),
});

/** What is done at the line, and says what came of it. */
function attemptOf(
  set: Readonly<Record<string, string>>,
  expression: string | undefined,
): (session: Session) => Promise<string> {
  const names = Object.entries(set);
  if (names.length > 0 === (expression !== undefined))
    throw new ToolError('invalid_arguments', 'Exactly one of set and call is tried.', {
      hint: 'set: {"total": "15"}, or call: "items.sort()".',
    });
  return async ({ inspection }) => {
    if (expression !== undefined)
      return `${expression} => ${clipValue((await inspection.evaluate(expression)).value, maxValueChars)}`;
    const changes: string[] = [];
    for (const [name, value] of names) {
      const { old, now } = await inspection.setVariable(name, value);
      changes.push(`${name}: ${clipValue(old.value, maxValueChars)} -> ${clipValue(now.value, maxValueChars)}`);
    }
    return changes.join(', ');
  };
}

/** V8 keeps what it has just assigned at hand for the next operation; only what a `return` hands out can be set then. */
function comesLate(name: string, before: string, line: string): boolean {
  if (!/^[\w$]+$/.test(name)) return false;
  const word = `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const isAssigned = new RegExp(
    `${word}\\s*(?:[^\\s\\w=!<>]{0,3}=(?!=)|<<=|>>>?=|\\+\\+|--)|(?:\\+\\+|--)${word}`,
  ).test(before);
  return isAssigned && new RegExp(word).test(line) && !new RegExp(`\\breturn\\s+${word}\\s*(?:[;}]|$)`).test(line);
}

function verdictOf({ end, stoppedEarly }: ProbeOutcome, place: string, reached: number, isTest: boolean): string {
  const { exit } = end;
  if (reached === 0) return `no verdict: ${place} was never reached, so nothing was tried.`;
  const times = reached === 1 ? '' : ` (tried ${counted(reached, 'time')})`;
  if (exit?.code === undefined || (stoppedEarly !== undefined && exit.code === 0)) return `no verdict${times}:`;
  if (isTest) return `${exit.code === 0 ? 'passes' : 'fails'} with it${times}`;
  return `exit code ${exit.code} with it${times}`;
}
