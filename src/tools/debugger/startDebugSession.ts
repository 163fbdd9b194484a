import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { recordedDebugging } from '../recordedPrograms.ts';
import { renderProgress } from './shapes/renderProgress.ts';
import { progressMessage, settleAndReport, startConfigured } from './shapes/runControl.ts';
import { progressShape, waitMs } from './shapes/shapes.ts';

export const startDebugSession = defineTool({
  name: 'start_debug_session',
  title: 'Start debug session',
  description:
    'Starts debugging: a program or test file, a run configuration, or attach by pid or host+port. Waits for the first stop (set breakpoints before) and returns it. Uncaught exceptions and failed assertions stop by default.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  paths: { program: 'file' },
  input: z.object({
    configuration_name: z.string().optional(),
    program: z.string().optional(),
    test: z.string().optional().describe('Test file, or file::test name'),
    module: z.string().optional(),
    language: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    runtime: z.string().optional().describe('interpreter to run it with'),
    stop_on_entry: z.boolean().optional(),
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
    const configured =
      args.configuration_name === undefined ? [] : await startConfigured(engines, args.configuration_name, call);
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
