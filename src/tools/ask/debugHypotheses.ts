import { z } from 'zod';
import { verdictOf } from '../../engine/debugger/ask/verdicts.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { askedOf } from './questions/asked.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import { rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { probeOf, textOf, verdictText } from './questions/verdictText.ts';

export const debugHypotheses = defineTool({
  name: 'debug_hypotheses',
  title: 'Test hypotheses',
  description:
    'Runs a test or program once: is each expression true (or `expect`) at its line or function? Confirmed, rejected with first counterexample, or never reached.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'questions'],
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
    questions: questionsShape,
  }),
  output: z.object({
    outcome: z.string(),
    verdicts: z.array(z.object({ id: z.string(), verdict: z.string(), text: z.string() })),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const { root } = call.project;
    const wanted = args.probes.map((each, index) => ({ ...each, id: each.id ?? `h${index + 1}` }));
    const fileOf = (path: string) => engines.debugger.ask.fileOf(call.project, path);
    const own = { probes: wanted.map((each) => probeOf(each, fileOf)) };
    const { questions, wish } = askedOf(engines, call, args.questions, own);
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(call.project, { start: startRequest(args), ...wish }, runLimits(args, call)),
    );
    const verdicts = wanted.map((each) => {
      const expect = each.expect === undefined ? undefined : textOf(each.expect);
      const verdict = verdictOf(run.recording, { id: each.id, expression: each.expression, expect });
      return { id: each.id, verdict: verdict.verdict, text: verdictText(verdict, { ...each, expect }, run, root) };
    });
    const notes = runNotes(run);
    const told = verdicts.map(({ id, text }) => `${id}: ${text}`);
    return {
      outcome: runLine(run),
      verdicts,
      ...answersOf(questions, run),
      ...changedAnswer(engines, call, { tool: 'hypotheses', args }, told, run),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
  render: ({ outcome, verdicts, answers, changed, notes }) =>
    [
      outcome,
      ...(notes ?? []),
      ...verdicts.map(({ id, text }) => `${id}: ${text}`),
      ...(answers ?? []),
      ...(changed ?? []),
    ].join('\n'),
});
