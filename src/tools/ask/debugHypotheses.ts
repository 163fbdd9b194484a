import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { type Verdict, verdictOf } from '../../engine/debugger/ask/verdicts.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { byText } from './historyText.ts';
import { rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { clipValue } from './valueText.ts';

export const debugHypotheses = defineTool({
  name: 'debug_hypotheses',
  title: 'Test hypotheses',
  description:
    'Runs a test or program once: is each expression true (or `expect`) at its line or function? Confirmed, rejected with first counterexample, or never reached.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  rare: rareRunParameters,
  paths: { program: 'existing' },
  input: z.object({
    ...runShape,
    probes: z
      .array(
        z.object({
          id: z.string().optional(),
          at: z.object({ file: z.string().optional(), line: z.int().optional(), function: z.string().optional() }),
          expression: z.string(),
          expect: z.unknown().optional(),
        }),
      )
      .min(1),
  }),
  output: z.object({
    outcome: z.string(),
    verdicts: z.array(z.object({ id: z.string(), verdict: z.string(), text: z.string() })),
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const { root } = call.project;
    const wanted = args.probes.map((each, index) => ({ ...each, id: each.id ?? `h${index + 1}` }));
    const probes = wanted.map((each) => probeOf(each, (path) => engines.debugger.ask.fileOf(call.project, path)));
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(call.project, { start: startRequest(args), probes }, runLimits(args, call)),
    );
    const verdicts = wanted.map((each) => {
      const expect = each.expect === undefined ? undefined : textOf(each.expect);
      const verdict = verdictOf(run.recording, { id: each.id, expression: each.expression, expect });
      return { id: each.id, verdict: verdict.verdict, text: verdictText(verdict, { ...each, expect }, run, root) };
    });
    const notes = runNotes(run);
    return { outcome: runLine(run), verdicts, ...(notes.length === 0 ? {} : { notes }) };
  },
  render: ({ outcome, verdicts, notes }) =>
    [outcome, ...(notes ?? []), ...verdicts.map(({ id, text }) => `${id}: ${text}`)].join('\n'),
});

interface ProbeArguments {
  id: string;
  at: { file?: string | undefined; line?: number | undefined; function?: string | undefined };
  expression: string;
}

function probeOf(given: ProbeArguments, fileOf: (path: string) => string): Probe {
  const { file, line, function: name } = given.at;
  if (name === undefined && (file === undefined || line === undefined))
    throw new ToolError('invalid_arguments', `The probe ${given.id} has no place.`, {
      hint: 'Give at: {file, line} or at: {function}.',
    });
  return {
    id: given.id,
    expressions: [given.expression],
    ...(file === undefined ? {} : { file: fileOf(file) }),
    ...(line === undefined ? {} : { line }),
    ...(name === undefined ? {} : { function: name }),
  };
}

/** A value as a caller writes it: a text is meant as it stands. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function verdictText(
  verdict: Verdict,
  { expression, expect }: { expression: string; expect: string | undefined },
  { recording }: RecordedRun,
  root: string,
): string {
  const { hits, holds, fails, example } = verdict;
  const claim = `${expression}${expect === undefined ? '' : ` = ${expect}`}`;
  const place =
    example === undefined ? '' : `${displayPath(root, example.file)}:${example.line}${byText(example.by, 2)}`;
  const value = clipValue(example?.values[0]?.text ?? '', 100);
  const times = hits === 1 ? 'once' : `${hits} times`;
  if (verdict.verdict === 'never reached') {
    const ran = recording.functions.length === 0 ? ' (no code of the project ran)' : '';
    return `NEVER REACHED  ${claim}${ran}`;
  }
  if (verdict.verdict === 'failed') return `NOT EVALUATED  ${claim}: ${value} at ${place}`;
  if (verdict.verdict === 'confirmed') return `CONFIRMED  ${claim}, ${times}; first ${value} at ${place}`;
  return `REJECTED  ${claim}: ${fails} of ${fails + holds} not; first ${value} at ${place}${argumentsText(example)}`;
}

function argumentsText(example: Verdict['example']): string {
  const { by } = example ?? {};
  if (by === undefined || by.args.length === 0) return '';
  return ` (${by.args.map(({ text }, index) => `${by.fn.params[index] ?? index}=${clipValue(text, 50)}`).join(', ')})`;
}
