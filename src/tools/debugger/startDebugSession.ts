import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { pointOf, pointShape } from './shapes/points.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, settleAndReport, startConfigured } from './shapes/runControl.ts';
import { progressShape, waitMs } from './shapes/shapes.ts';

export const startDebugSession = defineTool({
  name: 'start_debug_session',
  title: 'Start debug session',
  description:
    'Starts debugging: a program or test file, a run configuration, or attach by pid or host+port. Waits for the first stop and returns it. Uncaught exceptions and failed assertions stop by default.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  paths: { program: 'existing', 'breakpoints[].file': 'readable' },
  input: z.object({
    configuration_name: z.string().optional(),
    inputs: z.record(z.string(), z.string()).optional().describe('what the configuration asks for'),
    program: z.string().optional(),
    test: z.string().optional().describe('Test file, or file::test name'),
    module: z.string().optional(),
    language: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    runtime: z.string().optional().describe('interpreter to run it with'),
    breakpoints: z.array(pointShape).optional().describe('as set_breakpoint; kept'),
    stop_on_entry: z.boolean().optional(),
    core: z.string().optional().describe('core dump of program, looked at instead of run'),
    pid: z.int().min(1).optional(),
    host: z.string().optional(),
    port: z.int().optional(),
    path_mappings: z.array(z.object({ localRoot: z.string(), remoteRoot: z.string() })).optional(),
    wait_ms: waitMs,
  }),
  output: z.object({
    sessionId: z.string(),
    name: z.string(),
    message: z.string(),
    ...progressShape,
  }),
  run: async (engines, args, call) => {
    for (const { wanted, anchor } of (args.breakpoints ?? []).map(pointOf))
      await engines.debugger.setBreakpoint(call.project, wanted, anchor);
    const configured =
      args.configuration_name === undefined
        ? []
        : await startConfigured(engines, { name: args.configuration_name, inputs: args.inputs }, call);
    const start = () =>
      engines.debugger.start(
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
          pid: args.pid,
          host: args.host,
          port: args.port,
          pathMappings: args.path_mappings,
          stopOnEntry: args.stop_on_entry ?? false,
          core: args.core,
          progress: (message) => call.progress(message),
        },
        call.client.id,
        call.signal,
      );
    // What somebody else's program does to the files is not ours to take back.
    const isOwn = args.pid === undefined && args.port === undefined;
    const session =
      configured.at(-1) ??
      (isOwn ? await recordedDebugging(engines, call, start, (started) => [started]) : await start());
    const progress = await settleAndReport(session, args.wait_ms, call);
    return {
      name: session.name,
      message: progressMessage(progress, `Debug session started for '${session.name}'`),
      ...progress,
    };
  },
  render: (data) => `Debugging ${data.name} (${data.sessionId})\n${renderProgress(data)}`,
});
