import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { progressOf } from '../debugger/progress.ts';
import { renderProgress, renderStop } from '../debugger/renderProgress.ts';
import { progressShape, type StopData, stopShape } from '../debugger/shapes.ts';

export const debugProbe = defineTool({
  name: 'debug_probe',
  title: 'Debug in one call',
  description:
    'One shot: runs a program or a test (file, or file::name) under the debugger, reports the state at each breakpoint hit and at an uncaught exception or failed assertion (code, variables, values), then ends it. Without breakpoints it shows where and why it fails.',
  faces: ['probe', 'default'],
  alwaysLoad: true,
  toolset: 'probe',
  effect: 'execute',
  paths: { program: 'file', 'breakpoints[].file': 'readable' },
  input: z.object({
    program: z.string().optional(),
    test: z.string().optional(),
    language: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    breakpoints: z
      .array(
        z.object({
          file: z.string(),
          line: z.int().min(1),
          condition: z.string().optional(),
          expressions: z.array(z.string()).optional(),
        }),
      )
      .optional(),
    max_hits: z.int().min(1).max(100).optional(),
    wait_ms: z.int().min(0).max(40_000).optional(),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        ...stopShape.shape,
        expressions: z.record(z.string(), z.string()).optional(),
        output: z.string().optional(),
      }),
    ),
    stoppedEarly: z.string().optional(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const outcome = await recordedDebugging(engines, call, () =>
      engines.debugger.probe(
        call.project,
        {
          program: args.program,
          test: args.test,
          language: args.language,
          args: args.args,
          cwd: args.cwd,
          env: args.env,
        },
        {
          breakpoints: args.breakpoints ?? [],
          maxHits: args.max_hits ?? 5,
          waitMs: Math.min(args.wait_ms ?? 20_000, call.patienceMs - 2000),
          ownerId: call.client.id,
          signal: call.signal,
        },
      ),
    );
    const { root } = call.project;
    const { output: form } = call.client;
    return {
      hits: outcome.hits.flatMap(({ report, expressions }) => {
        const { stop, output } = progressOf(report, root, form);
        if (stop === undefined) return [];
        return [
          {
            ...stop,
            ...(Object.keys(expressions).length === 0 ? {} : { expressions }),
            ...(output === undefined ? {} : { output }),
          },
        ];
      }),
      stoppedEarly: outcome.stoppedEarly,
      ...progressOf(outcome.end, root, form),
    };
  },
  render: (data) => {
    const hits = data.hits.flatMap((hit, index) => [
      ...(data.hits.length > 1 ? [`--- hit ${index + 1}`] : []),
      ...renderStop(
        isSamePlace(hit, data.hits[index - 1]) ? { ...hit, source: hit.source.filter(isMarked) } : hit,
        false,
        Object.entries(hit.expressions ?? {}).map(([expression, value]) => `  ${expression} => ${value}`),
      ),
      ...(hit.output === undefined ? [] : [`Output: ${hit.output.trim().slice(-600)}`]),
    ]);
    const isFailure = data.hits.at(-1)?.reason === 'exception';
    // After a failure the runner's own report of it says nothing that was not just seen.
    const end =
      data.stoppedEarly === undefined
        ? renderProgress(isFailure ? { ...data, output: undefined } : data)
        : `${data.stoppedEarly}`;
    return [...hits, end].join('\n');
  },
});

/** What was shown around a line need not be shown again at the next hit. */
function isSamePlace(hit: StopData, before: StopData | undefined): boolean {
  return hit.location?.file === before?.location?.file && hit.location?.line === before?.location?.line;
}

function isMarked(line: string): boolean {
  return line.startsWith('>>>');
}
