import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { compareRuns } from '../../engine/debugger/ask/compare.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { changedAnswer, changedShape } from './changedAnswer.ts';
import { askedOf } from './questions/asked.ts';
import { differenceLines } from './questions/differenceText.ts';
import { answersOf, questionsShape } from './questions/questions.ts';
import { focusShape, focusWish, runLimits, runShape, startRequest } from './runArguments.ts';
import { runLine, runNotes } from './runText.ts';

const side = z.object({
  test: z.string().optional(),
  program: z.string().optional(),
  args: z.array(z.string()).optional(),
  commit: z.string().optional(),
});

export const debugCompare = defineTool({
  name: 'debug_compare',
  title: 'Compare two runs',
  description:
    'Runs a and b (two tests, two inputs, or one `test` at two commits; none: the files as they are): the first call whose arguments, path or result differ.',
  faces: ['probe', 'default'],
  toolset: 'ask',
  effect: 'execute',
  paths: { program: 'existing', 'a.program': 'file', 'b.program': 'file' },
  rare: ['focus', 'wait_ms', 'program', 'questions'],
  input: z.object({
    a: side,
    b: side,
    test: runShape.test,
    program: runShape.program,
    focus: focusShape,
    questions: questionsShape,
    wait_ms: runShape.wait_ms,
  }),
  output: z.object({
    a: z.string(),
    b: z.string(),
    same: z.number(),
    differences: z.array(z.string()),
    answers: z.array(z.string()).optional(),
    changed: changedShape,
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const { a, b, test, program, focus, wait_ms } = args;
    const { root } = call.project;
    const { questions, wish } = askedOf(engines, call, args.questions);
    const record = (one: z.output<typeof side>) => {
      const { commit, ...given } = one;
      const isNamed = given.test !== undefined || given.program !== undefined;
      const wanted = { ...given, ...(isNamed ? {} : { test, program }) };
      const start = startRequest({
        ...wanted,
        program: wanted.program === undefined ? undefined : engines.debugger.ask.fileOf(call.project, wanted.program),
      });
      const limits = runLimits({ wait_ms: wait_ms ?? 15_000 }, call);
      return engines.debugger.ask.record(
        call.project,
        { start, focus: focusWish(focus), commit, ...wish, needsCalls: true },
        limits,
      );
    };
    if (JSON.stringify(a) === JSON.stringify(b))
      throw new ToolError('invalid_arguments', 'a and b are the same.', {
        hint: 'Give two tests, two args, or a commit to one of them: {a: {commit: "HEAD~1"}, b: {}, test}.',
      });
    const [first, second] = await recordedDebugging(
      engines,
      call,
      async () => [await record(a), await record(b)] as const,
    );
    const { differences, same } = compareRuns(first.recording, second.recording);
    const notes = [...new Set([...runNotes(first), ...runNotes(second)])];
    const answers = sideAnswers(answersOf(questions, first).answers, answersOf(questions, second).answers);
    const told = differences.flatMap((each) => differenceLines(each, root));
    return {
      a: runLine(first),
      b: runLine(second),
      same,
      differences: told,
      ...(answers.length === 0 ? {} : { answers }),
      ...changedAnswer(engines, call, { tool: 'compare', args }, told, second),
      ...(notes.length === 0 ? {} : { notes }),
    };
  },
  render: (data) =>
    [
      `a: ${data.a}`,
      `b: ${data.b}`,
      ...(data.notes ?? []),
      data.differences.length === 0
        ? `No difference in ${counted(data.same, 'call')} of the focus.`
        : `${data.same === 0 ? 'No call before went the same.' : `The first ${counted(data.same, 'call')} to end went the same.`} In the order of running:`,
      ...data.differences,
      ...(data.answers ?? []),
      ...(data.changed ?? []),
    ].join('\n'),
});

/** What both runs answer is said once. */
function sideAnswers(a: readonly string[] = [], b: readonly string[] = []): string[] {
  if (a.length === 0 || a.join('\n') === b.join('\n')) return [...a];
  return ['In a:', ...a, 'In b:', ...b];
}
