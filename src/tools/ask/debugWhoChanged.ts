import { z } from 'zod';
import { failureOf } from '../../engine/debugger/ask/failure.ts';
import { condensed, historyOf } from '../../engine/debugger/ask/history.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { failureText } from './failureText.ts';
import { outputTail } from './outputText.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { askedOf } from './questions/asked.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import { rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { summaryOf, watchOf, writeLines } from './questions/watchText.ts';

/** The last write matters most: all are noted as long as that takes no longer. */
const patientMs = 6000;

export const debugWhoChanged = defineTool({
  name: 'debug_who_changed',
  title: 'Who changed a value',
  description:
    'Runs a test or program: every write of a variable or property (`count`, `this.size`, `options.router`), also through aliases: old → new, line, callers; last before the failure first.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'variable', 'questions'],
  paths: { program: 'existing' },
  input: z.object({
    expression: z.string().optional(),
    variable: z.string().optional(),
    ...runShape,
    questions: questionsShape,
  }),
  output: z.object({
    outcome: z.string(),
    failure: z.string().optional(),
    summary: z.string(),
    writes: z.array(z.string()),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
    notes: z.array(z.string()).optional(),
    output: z.string().optional(),
  }),
  run: async (engines, args, call) => {
    const { root } = call.project;
    const watch = watchOf(args.expression ?? args.variable, root);
    const { questions, wish } = askedOf(engines, call, args.questions, { watches: [watch] });
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(
        call.project,
        {
          start: startRequest(args),
          ...wish,
          limits: { graceMs: patientMs },
        },
        runLimits(args, call),
      ),
    );
    const failure = failureOf(run.recording);
    const rows = condensed(historyOf(run.recording, watch.id));
    const notes = runNotes(run);
    const output = rows.length === 0 ? outputTail(run) : '';
    const failed = failure === undefined ? {} : { failure: failureText(failure, root) };
    const writes = writeLines(rows, failure?.seq, root);
    const told = [failed.failure ?? 'nothing failed', ...writes];
    return {
      outcome: runLine(run),
      ...failed,
      summary: summaryOf(watch, rows, run),
      writes,
      ...answersOf(questions, run),
      ...changedAnswer(engines, call, { tool: 'who_changed', args }, told, run),
      ...(notes.length === 0 ? {} : { notes }),
      ...(output === '' ? {} : { output }),
    };
  },
  render: ({ outcome, failure, summary, writes, answers, changed, notes, output }) =>
    [
      outcome,
      ...(failure === undefined ? [] : [failure]),
      ...(notes ?? []),
      summary,
      ...writes,
      ...(answers ?? []),
      ...(changed ?? []),
      ...(output === undefined ? [] : [`Output: ${output}`]),
    ].join('\n'),
});
