import { z } from 'zod';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { momentOf } from './questions/momentText.ts';
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
    const notes = runNotes(run);
    return {
      outcome: runLine(run),
      ...momentOf(run, probe, args.becomes, root),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
  render: ({ outcome, moment, before, callers, notes }) =>
    [outcome, ...(notes ?? []), moment, ...(before === undefined ? [] : [before]), ...(callers ?? [])].join('\n'),
});
