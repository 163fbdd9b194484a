import { z } from 'zod';
import type { Probe } from '../../engine/debugger/ask/model.ts';
import { countBelow } from '../../engine/debugger/ask/outline.ts';
import { isSuite, isTest, type RecordedCall } from '../../engine/debugger/ask/recording.ts';
import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { counted } from '../../base/text/counted.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { historyLines } from './historyText.ts';
import { outputTail } from './outputText.ts';
import { askedOf } from './questions/asked.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import { focusShape, focusWish, rareRunParameters, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';
import { treeLines } from './traceText.ts';

/** What a trace may take of an answer, in characters: about 1,500 tokens. */
const treeChars = 3900;
const historyChars = 1200;

export const debugTrace = defineTool({
  name: 'debug_trace',
  title: 'Trace calls',
  description:
    'Runs a test or program once: the tree of calls with arguments, changes, results, exceptions; loops folded. `expressions`: their values over time.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  rare: [...rareRunParameters, 'max_calls', 'lines'],
  paths: { program: 'existing' },
  input: z.object({
    ...runShape,
    focus: focusShape,
    expressions: z.array(z.string()).optional(),
    questions: questionsShape.describe('more to answer from the same run'),
    lines: z.boolean().optional().describe('counts how often each line runs, for overlays'),
    max_calls: z.int().min(1).max(100_000).optional(),
  }),
  output: z.object({
    outcome: z.string(),
    calls: z.array(z.string()),
    history: z.array(z.string()).optional(),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
    notes: z.array(z.string()).optional(),
    output: z.string().optional(),
  }),
  run: async (engines, args, call) => {
    const probes = (args.expressions ?? []).map((expression, index): Probe => ({
      id: `e${index}`,
      expressions: [expression],
      isEverywhere: true,
    }));
    const { root } = call.project;
    const { questions, wish } = askedOf(engines, call, args.questions, { probes });
    const run = await recordedDebugging(engines, call, () =>
      engines.debugger.ask.record(
        call.project,
        {
          start: startRequest(args),
          focus: focusWish(args.focus),
          ...wish,
          needsCalls: true,
          lines: args.lines ?? false,
          ...(args.max_calls === undefined ? {} : { limits: { maxCalls: args.max_calls } }),
        },
        runLimits(args, call),
      ),
    );
    const history = historyLines(run.recording, probes, root, historyChars);
    const { roots, note } = shownRoots(run);
    const notes = [...runNotes(run), ...note];
    const output = outputTail(run);
    const scale = call.budget.isChosen === true ? call.budget.maxChars / 6000 : 1;
    const calls = treeLines(roots, root, treeChars * scale, run.recording.processes);
    return {
      outcome: runLine(run),
      calls,
      ...(history.length === 0 ? {} : { history }),
      ...answersOf(questions, run),
      ...changedAnswer(engines, call, { tool: 'trace', args }, [...calls, ...history], run),
      ...(notes.length === 0 ? {} : { notes }),
      ...(output === '' ? {} : { output }),
    };
  },
  render: ({ outcome, calls, history, answers, changed, notes, output }) =>
    [
      outcome,
      ...(notes ?? []),
      ...calls,
      ...(history ?? []),
      ...(answers ?? []),
      ...(changed ?? []),
      ...(output === undefined ? [] : [`Output: ${output}`]),
    ].join('\n'),
});

/** Of a test run, the tests: what was called while files were loaded and tests defined is seldom meant. */
function shownRoots({ recording, isTest: isTestRun }: RecordedRun): { roots: readonly RecordedCall[]; note: string[] } {
  const { roots } = recording;
  const tests = isTestRun ? roots.filter(({ fn }) => isTest(fn)) : [];
  // Callbacks that nobody's call led to may be of the tests.
  const first = tests[0]?.seq ?? 0;
  const shown = roots.filter((call) => tests.includes(call) || (call.seq > first && !isSuite(call.fn)));
  if (tests.length === 0 || shown.length === roots.length) return { roots, note: [] };
  const hidden = roots.filter((call) => !shown.includes(call)).reduce((sum, call) => sum + 1 + countBelow(call), 0);
  return { roots: shown, note: [`${counted(hidden, 'call')} before the first test left out`] };
}
