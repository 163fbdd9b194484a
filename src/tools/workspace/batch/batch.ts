import { z } from 'zod';
import { ToolError } from '../../../base/errors.ts';
import { defineTool, type PartAnswer, type ToolCall } from '../../defineTool.ts';
import { resolveReferences, type Earlier } from './references.ts';

const maxCalls = 20;
/** What stands around each result in either form. */
const frameChars = 140;
/** Left for the answer itself when the last call has taken all the time there was. */
const answerMs = 1000;

const resultShape = z.object({
  tool: z.string(),
  /** Its own answer, where answers are read as JSON. */
  result: z.record(z.string(), z.unknown()).optional(),
  /** Its own answer, where answers are read as text. */
  text: z.string().optional(),
  error: z
    .object({
      name: z.string(),
      message: z.string(),
      hint: z.string().optional(),
      data: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
  /** Why it was not made at all. */
  notRun: z.string().optional(),
});
type Result = z.output<typeof resultShape>;

export const batch = defineTool({
  name: 'batch',
  title: 'Several calls in one',
  description:
    'Makes several calls in order. Arguments may use earlier results: "$1.breakpointId", "$2.usages[0].file". Each call asks and fails on its own.',
  faces: ['workspace'],
  toolset: 'project',
  effect: 'read',
  // It stands for other tools; each of those has its own effect and asks where it must.
  annotations: { destructiveHint: true, openWorldHint: true },
  scope: 'none',
  maxChars: 12_000,
  input: z.object({
    calls: z
      .array(z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()).optional() }))
      .min(1)
      .max(maxCalls),
    stop_on_error: z.boolean().optional(),
    project_path: z.string().optional(),
  }),
  output: z.object({ results: z.array(resultShape), failed: z.int(), notRun: z.int() }),
  run: async (_engines, args, call) => {
    if (call.isPart) throw new ToolError('invalid_arguments', 'A batch cannot be one of the calls of a batch.');
    const results: Result[] = [];
    const earlier: Earlier[] = [];
    let room = call.budget.maxChars - frameChars;
    let end: string | undefined;
    for (const [index, { tool, args: own = {} }] of args.calls.entries()) {
      call.signal.throwIfAborted();
      if (call.patienceMs <= answerMs) end ??= 'the time of one call was over';
      if (end !== undefined) {
        results.push({ tool, notRun: end });
        continue;
      }
      // What a call leaves of its share goes to those after it.
      const share = Math.max(Math.floor(room / (args.calls.length - index)) - frameChars, 200);
      const inherited = args.project_path === undefined ? {} : { project_path: args.project_path };
      const answer = await made(call, tool, { ...inherited, ...own }, earlier, share);
      const result = shown(tool, answer, call);
      room -= JSON.stringify(result).length;
      results.push(result);
      earlier.push(answer.error === undefined ? (answer.whole ?? answer.data) : undefined);
      if (answer.error !== undefined && args.stop_on_error === true) end = `call ${index + 1} failed`;
    }
    const count = (of: (result: Result) => unknown) => results.filter((result) => of(result) !== undefined).length;
    return { results, failed: count(({ error }) => error), notRun: count(({ notRun }) => notRun) };
  },
  render: (data) =>
    data.results
      .map(({ tool, text, error, notRun }, index) => {
        const heading = `== $${index + 1} ${tool}`;
        if (notRun !== undefined) return `${heading}: not run, ${notRun}`;
        return `${heading}\n${text ?? error?.message ?? ''}`;
      })
      .join('\n'),
});

async function made(
  call: ToolCall,
  tool: string,
  args: Record<string, unknown>,
  earlier: readonly Earlier[],
  maxChars: number,
): Promise<PartAnswer> {
  try {
    return await call.part(tool, resolveReferences(args, earlier), {
      maxChars,
      patienceMs: call.patienceMs - answerMs,
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message } = error;
    const hint = error.hint === undefined ? undefined : call.hint(error.hint);
    return { text: `Error (${code}): ${message}\n${hint ?? ''}`.trimEnd(), error: { code, message, hint } };
  }
}

function shown(tool: string, answer: PartAnswer, { client }: ToolCall): Result {
  const { data: result, text, error } = answer;
  return {
    tool,
    ...(client.output !== 'json' ? { text: text.trimEnd() } : {}),
    ...(client.output !== 'text' && error === undefined ? { result } : {}),
    ...(error === undefined
      ? {}
      : { error: { name: error.code, message: error.message, hint: error.hint, data: error.data } }),
  };
}
