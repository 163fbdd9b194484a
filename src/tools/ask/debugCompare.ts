import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import { compareRuns, type RunDifference } from '../../engine/debugger/ask/compare.ts';
import type { RecordedCall } from '../../engine/debugger/ask/recording.ts';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { outcome as outcomeText, signature } from './callText.ts';
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
  rare: ['focus', 'wait_ms', 'program'],
  input: z.object({
    a: side,
    b: side,
    test: runShape.test,
    program: runShape.program,
    focus: focusShape,
    wait_ms: runShape.wait_ms,
  }),
  output: z.object({
    a: z.string(),
    b: z.string(),
    same: z.number(),
    differences: z.array(z.string()),
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    const { a, b, test, program, focus, wait_ms } = args;
    const { root } = call.project;
    const record = (one: z.output<typeof side>) => {
      const { commit, ...given } = one;
      const isNamed = given.test !== undefined || given.program !== undefined;
      const wanted = { ...given, ...(isNamed ? {} : { test, program }) };
      const start = startRequest({
        ...wanted,
        program: wanted.program === undefined ? undefined : engines.debugger.ask.fileOf(call.project, wanted.program),
      });
      const limits = runLimits({ wait_ms: wait_ms ?? 15_000 }, call);
      return engines.debugger.ask.record(call.project, { start, focus: focusWish(focus), commit }, limits);
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
    return {
      a: runLine(first),
      b: runLine(second),
      same,
      differences: differences.flatMap((each) => differenceLines(each, root)),
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
    ].join('\n'),
});

const kindTexts: Record<RunDifference['kind'], string> = {
  arguments: 'first call with other arguments',
  path: 'first place where other functions are called',
  result: 'same arguments, same calls inside, another result',
  end: 'one threw, the other did not',
};

function differenceLines({ kind, a, b, inA, inB }: RunDifference, root: string): string[] {
  const line = (name: string, call: RecordedCall | undefined, holder: RecordedCall | undefined) => {
    if (call === undefined)
      return `  ${name}: no further call${holder === undefined ? '' : ` in ${signature(holder, 60)} ${outcomeText(holder, 60)}`}`;
    const from =
      call.parent === undefined
        ? ''
        : `, called at ${displayPath(root, call.parent.fn.file)}:${call.from ?? 0} by ${call.parent.fn.name}`;
    return `  ${name}: ${signature(call, 120)} ${outcomeText(call, 120)}${from}`;
  };
  const known = a ?? b;
  const place = known === undefined ? '' : `  [${displayPath(root, known.fn.file)}:${known.fn.line}]`;
  return [`${kindTexts[kind]}:${place}`, line('a', a, inA), line('b', b, inB)];
}
