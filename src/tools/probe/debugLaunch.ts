import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { progressOf } from '../debugger/shapes/progress.ts';
import { readerOf } from '../debugger/shapes/reader.ts';
import { reportOptionsFor } from '../debugger/shapes/reportOptions.ts';
import { progressShape, waitMs } from '../debugger/shapes/shapes.ts';

export const debugLaunch = defineTool({
  name: 'debug_launch',
  title: 'Launch under the debugger',
  description:
    'Starts a program, a test (file, or file::name) or a Python module under the debugger and stops at its first line, ready for breakpoints. Ends a session before it.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  paths: { program: 'existing' },
  input: z.object({
    program: z.string().optional(),
    test: z.string().optional(),
    module: z.string().optional(),
    language: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    runtime: z.string().optional().describe('interpreter to run it with'),
    wait_ms: waitMs,
  }),
  output: z.object({
    name: z.string(),
    language: z.string(),
    sessionId: z.string(),
    recovered: z.string().optional(),
    breakpoints: z.array(z.string()).optional(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    const launch = () =>
      engines.debugger.launchSingle(
        call.project,
        {
          program: args.program,
          test: args.test,
          module: args.module,
          language: args.language,
          args: args.args,
          cwd: args.cwd,
          env: args.env,
          runtime: args.runtime,
          stopOnEntry: true,
        },
        call.client.id,
        call.signal,
      );
    const { session, recovered, breakpoints } = await recordedDebugging(engines, call, launch, (launched) => [
      launched.session,
    ]);
    await session.settle(Math.min(args.wait_ms ?? 10_000, call.patienceMs), call.signal);
    session.requireTest();
    const progress = progressOf(await session.report(reportOptionsFor(call.budget)), readerOf(call));
    return {
      name: session.name,
      language: session.language,
      sessionId: session.id,
      recovered,
      ...(breakpoints.length === 0 ? {} : { breakpoints }),
      ...progress,
    };
  },
  render: (data) => {
    const kept = data.breakpoints === undefined ? '' : ` Breakpoints kept: ${data.breakpoints.join(', ')}.`;
    const again = data.recovered === undefined ? '' : ` ${data.recovered}`;
    const head = `Debugger started for ${data.name} (${data.language}).${again}`;
    if (data.state === 'paused') return `${head} Ready for breakpoints (at ${data.stop?.stack[0] ?? 'entry'}).${kept}`;
    return `${head} It is ${data.state === 'stopped' ? `over already (exit code ${data.exitCode ?? '?'})` : 'running'}.${kept}${data.output === undefined ? '' : `\n${data.output}`}`;
  },
});
