import { z } from 'zod';
import { displayPath } from '../../../base/paths.ts';
import { ToolError } from '../../../base/errors.ts';
import { compareCalls } from '../../../engine/debugger/ask/compare.ts';
import { failureOf } from '../../../engine/debugger/ask/failure.ts';
import { condensed, historyOf, samplesOf } from '../../../engine/debugger/ask/history.ts';
import type { Probe, Watch } from '../../../engine/debugger/ask/model.ts';
import type { RecordedCall } from '../../../engine/debugger/ask/recording.ts';
import type { RecordedRun } from '../../../engine/debugger/ask/recordRun.ts';
import { verdictOf } from '../../../engine/debugger/ask/verdicts.ts';
import { probeOf, textOf, verdictText } from './verdictText.ts';
import { momentOf } from './momentText.ts';
import { differenceLines } from './differenceText.ts';
import { summaryOf, watchOf, writeLines } from './watchText.ts';
import { signature } from '../callText.ts';
import { byText } from '../historyText.ts';
import { treeLines } from '../traceText.ts';
import { clipValue } from '../valueText.ts';

/** Further questions to the run that a tool makes anyway: the run is what costs. Each has one of the first keys. */
export const questionsShape = z
  .array(
    z.object({
      who_changed: z.string().optional(),
      trace: z.string().optional().describe('a function'),
      until: z.string().optional(),
      hypothesis: z.string().optional(),
      values: z.array(z.string()).optional(),
      compare: z.string().optional().describe('a function: where two calls of it part'),
      calls: z.array(z.int().min(1)).length(2).optional().describe('which two; the first and the last'),
      at: z
        .object({ file: z.string().optional(), line: z.int().optional(), function: z.string().optional() })
        .optional(),
      becomes: z.unknown().optional(),
      expect: z.unknown().optional(),
    }),
  )
  .max(12)
  .optional();

export type QuestionArguments = NonNullable<z.output<typeof questionsShape>>[number];

/** One question: what the recorder is to note for it, and its answer from the recording. */
export interface Question {
  watches: readonly Watch[];
  probes: readonly Probe[];
  /** Whether it is about calls, not only about what expressions were at places. */
  needsCalls?: boolean;
  answer: (run: RecordedRun) => string[];
}

const traceChars = 1500;
const maxWrites = 8;
const maxHits = 5;

export function questionsOf(
  wanted: readonly QuestionArguments[] | undefined,
  root: string,
  fileOf: (path: string) => string,
): Question[] {
  return (wanted ?? []).map((each, index) => questionOf(each, `q${index + 1}`, root, fileOf));
}

/** The answers in the order of the questions, each under its number. */
export function answersOf(questions: readonly Question[], run: RecordedRun): { answers?: string[] } {
  if (questions.length === 0) return {};
  return {
    answers: questions.flatMap(({ answer }, index) =>
      answer(run).map((line, at) => (at === 0 ? `${index + 1}. ${line}` : `   ${line}`)),
    ),
  };
}

function questionOf(wanted: QuestionArguments, id: string, root: string, fileOf: (path: string) => string): Question {
  const { who_changed: changed, trace, until, hypothesis, values, at = {} } = wanted;
  if (changed !== undefined) return writesQuestion(watchOf(changed, root, id), root);
  if (trace !== undefined) return traceQuestion(trace, root);
  if (wanted.compare !== undefined) return comparison(wanted.compare, wanted.calls, root);
  if (until !== undefined)
    return momentQuestion({ id, expressions: [until], isEverywhere: true }, wanted.becomes, root);
  if (hypothesis !== undefined) {
    const expect = wanted.expect === undefined ? undefined : textOf(wanted.expect);
    const claim = { id, at, expression: hypothesis, expect };
    const answer = (run: RecordedRun) => [verdictText(verdictOf(run.recording, claim), claim, run, root)];
    return { watches: [], probes: [probeOf(claim, fileOf)], answer };
  }
  if (values !== undefined && values.length > 0) {
    const probe = { ...probeOf({ id, at, expression: values[0] ?? '' }, fileOf), expressions: values };
    return { watches: [], probes: [probe], answer: (run) => hitLines(run, probe, root) };
  }
  throw new ToolError(
    'invalid_arguments',
    'A question has none of who_changed, trace, until, hypothesis, values and compare.',
    {
      hint: 'questions: [{"who_changed": "total"}, {"values": ["a", "b"], "at": {"file": "src/cart.js", "line": 12}}]',
    },
  );
}

function writesQuestion(watch: Watch, root: string): Question {
  const answer = (run: RecordedRun) => {
    const rows = condensed(historyOf(run.recording, watch.id));
    const lines = writeLines(rows, failureOf(run.recording)?.seq, root);
    const more = lines.length - maxWrites;
    return [summaryOf(watch, rows, run), ...lines.slice(0, maxWrites), ...(more > 0 ? [`… ${more} more`] : [])];
  };
  return { watches: [watch], probes: [], answer };
}

function traceQuestion(name: string, root: string): Question {
  const answer = ({ recording }: RecordedRun) => {
    // Calls of it inside itself stand in the tree of the outer one.
    const calls = recording.calls.filter(
      (call) => isNamed(call, name) && (call.parent === undefined || !isNamed(call.parent, name)),
    );
    if (calls.length === 0) return [`${name} was not called.`];
    return [`calls of ${name}:`, ...treeLines(calls, root, traceChars)];
  };
  return { watches: [], probes: [], needsCalls: true, answer };
}

function isNamed({ fn }: RecordedCall, name: string): boolean {
  return fn.name === name || fn.name.endsWith(`.${name}`);
}

/** Two calls of one function in the same run: what the one did and the other did not. */
function comparison(name: string, wanted: readonly number[] | undefined, root: string): Question {
  const answer = ({ recording }: RecordedRun) => {
    const calls = recording.calls.filter((call) => isNamed(call, name));
    const [first = 1, second = calls.length] = wanted ?? [];
    const [a, b] = [calls[first - 1], calls[second - 1]];
    if (a === undefined || b === undefined || a === b)
      return [`${name} was called ${calls.length === 1 ? 'once' : `${calls.length} times`}: no two calls to compare.`];
    const { differences } = compareCalls(a, b);
    const title = `calls ${first} (a) and ${second} (b) of ${name}`;
    if (differences.length === 0) return [`${title}: no difference; ${signature(a, 80)}`];
    return [`${title}:`, ...differences.flatMap((each) => differenceLines(each, root))];
  };
  return { watches: [], probes: [], needsCalls: true, answer };
}

function momentQuestion(probe: Probe, becomes: unknown, root: string): Question {
  const answer = (run: RecordedRun) => {
    const { moment, before, callers = [] } = momentOf(run, probe, becomes, root);
    return [moment, ...(before === undefined ? [] : [before]), ...callers.slice(0, 3)];
  };
  return { watches: [], probes: [probe], answer };
}

/** What expressions were each time a place was reached, the last times last. */
function hitLines({ recording }: RecordedRun, probe: Probe, root: string): string[] {
  const samples = samplesOf(recording, probe.id);
  const hits = Math.max(recording.probeHits.get(probe.id) ?? 0, samples.length);
  const place =
    probe.line === undefined ? (probe.function ?? '') : `${displayPath(root, probe.file ?? '')}:${probe.line}`;
  const shown = samples.length <= maxHits ? samples : [...samples.slice(0, 2), ...samples.slice(2 - maxHits)];
  return [
    `${probe.expressions.join(', ')} at ${place}: ${hits === 0 ? 'never reached' : hits === 1 ? 'once' : `${hits} times`}`,
    ...shown.map(({ values, by }) => {
      const drawn = values.map(({ text }, index) => `${probe.expressions[index] ?? ''} = ${clipValue(text, 100)}`);
      return by === undefined ? drawn.join(', ') : `${drawn.join(', ')}  in${byText(by, 2)}`;
    }),
  ];
}
