import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import { samplesOf } from '../../engine/debugger/ask/history.ts';
import type { RecordedSample } from '../../engine/debugger/ask/recording.ts';
import { isFalse, isSameText } from '../../engine/debugger/ask/verdicts.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { signature } from './callText.ts';
import { byText } from './historyText.ts';
import { focusShape, focusWish, rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { clipValue } from './valueText.ts';

export const debugUntil = defineTool({
  name: 'debug_until',
  title: 'First moment',
  description:
    'Runs a test or program: the first moment an expression becomes true (or `becomes` that value; false: an invariant breaks), evaluated before each statement.',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'execute',
  rare: rareRunParameters,
  paths: { program: 'existing' },
  input: z.object({
    ...runShape,
    expression: z.string(),
    becomes: z.unknown().optional(),
    focus: focusShape,
  }),
  output: z.object({
    outcome: z.string(),
    moment: z.string(),
    before: z.string().optional(),
    callers: z.array(z.string()).optional(),
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const { root } = call.project;
    const focus = focusWish(args.focus);
    const [onlyFunction] = focus?.functions ?? [];
    const probe: Probe = {
      id: 'u',
      expressions: [args.expression],
      isEverywhere: true,
      ...(onlyFunction === undefined ? {} : { function: onlyFunction }),
    };
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(
        call.project,
        { start: startRequest(args), focus: { files: focus?.files }, probes: [probe] },
        runLimits(args, call),
      ),
    );
    const samples = samplesOf(run.recording, probe.id);
    const wanted = args.becomes === undefined ? true : textOf(args.becomes);
    const index = samples.findIndex(({ values }) => isWanted(values[0]?.text ?? '', wanted));
    const found = samples[index];
    const notes = runNotes(run);
    return {
      outcome: runLine(run),
      ...(found === undefined
        ? { moment: neverText(args.expression, wanted, samples, root) }
        : momentData(args.expression, found, samples[index - 1], root)),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
  render: ({ outcome, moment, before, callers, notes }) =>
    [outcome, ...(notes ?? []), moment, ...(before === undefined ? [] : [before]), ...(callers ?? [])].join('\n'),
});

function isWanted(text: string, wanted: string | boolean): boolean {
  if (wanted === true || wanted === 'true') return !isFalse(text);
  if (wanted === false || wanted === 'false') return isFalse(text);
  return isSameText(text, wanted);
}

function momentData(
  expression: string,
  found: RecordedSample,
  before: RecordedSample | undefined,
  root: string,
): { moment: string; before?: string; callers?: string[] } {
  const place = (sample: RecordedSample) => `${displayPath(root, sample.file)}:${sample.line}${byText(sample.by)}`;
  const text = (sample: RecordedSample) => clipValue(sample.values[0]?.text ?? '', 200);
  const callers: string[] = [];
  for (let call = found.by; call !== undefined && callers.length < 6; call = call.parent)
    callers.push(`  in ${signature(call, 80)}${call.from === undefined ? '' : `, called at :${call.from}`}`);
  return {
    moment: `${expression} is first ${text(found)} after ${place(found)}`,
    ...(before === undefined ? {} : { before: `before, since ${place(before)}: ${text(before)}` }),
    ...(callers.length === 0 ? {} : { callers }),
  };
}

function neverText(
  expression: string,
  wanted: string | boolean,
  samples: readonly RecordedSample[],
  root: string,
): string {
  const last = samples.at(-1);
  if (last === undefined) return `${expression} could be evaluated nowhere in the focus.`;
  const values = new Set(samples.map(({ values: [value] }) => clipValue(value?.text ?? '', 60)));
  return `${expression} never became ${wanted}; values: ${[...values].slice(0, 8).join(', ')}; last at ${displayPath(root, last.file)}:${last.line}.`;
}

/** A value as a caller writes it: a text is meant as it stands. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
