import { z } from 'zod';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { askedOf } from './questions/asked.ts';
import { momentOf } from './questions/momentText.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import { focusShape, focusWish, rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';

export const debugUntil = defineTool({
  name: 'debug_until',
  title: 'First moment',
  description:
    'Runs a test or program: the first moment an expression becomes true (or `becomes` that value; false: an invariant breaks), evaluated before each statement.',
  faces: ['probe'],
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'questions'],
  paths: { program: 'existing' },
  input: z.object({
    ...runShape,
    expression: z.string(),
    becomes: z.unknown().optional(),
    focus: focusShape,
    questions: questionsShape,
  }),
  output: z.object({
    outcome: z.string(),
    moment: z.string(),
    before: z.string().optional(),
    callers: z.array(z.string()).optional(),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
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
    const { questions, wish } = askedOf(engines, call, args.questions, { probes: [probe] });
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(
        call.project,
        { start: startRequest(args), focus: { files: focus?.files }, ...wish },
        runLimits(args, call),
      ),
    );
    const notes = runNotes(run);
    const found = momentOf(run, probe, args.becomes, root);
    const told = [found.moment, ...(found.before === undefined ? [] : [found.before])];
    return {
      outcome: runLine(run),
      ...found,
      ...answersOf(questions, run),
      ...changedAnswer(engines, call, { tool: 'until', args }, told, run),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
  render: ({ outcome, moment, before, callers, answers, changed, notes }) =>
    [
      outcome,
      ...(notes ?? []),
      moment,
      ...(before === undefined ? [] : [before]),
      ...(callers ?? []),
      ...(answers ?? []),
      ...(changed ?? []),
    ].join('\n'),
});
