import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';

export const debugBreakpoint = defineTool({
  name: 'debug_breakpoint',
  title: 'Set a breakpoint',
  description: 'Sets a breakpoint at file:line; a log_message with {expressions} prints instead of stopping.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  paths: { file: 'readable' },
  input: z.object({
    file: z.string(),
    line: z.int().min(1),
    condition: z.string().optional(),
    hit_condition: z.string().optional(),
    log_message: z.string().optional(),
  }),
  output: z.object({
    breakpointId: z.string(),
    file: z.string(),
    line: z.int(),
    verified: z.boolean(),
    message: z.string().optional(),
    lineContent: z.string().optional(),
  }),
  run: async (engines, args, call) => {
    const { breakpoint, binding } = await engines.debugger.setBreakpoint(call.project, {
      type: 'line',
      file: args.file,
      line: args.line,
      enabled: true,
      temporary: false,
      ofSingleSession: true,
      suspendPolicy: args.log_message === undefined ? 'all' : 'none',
      condition: args.condition,
      hitCondition: args.hit_condition,
      logMessage: args.log_message,
    });
    const asked = breakpoint.line ?? args.line;
    const line = binding?.location?.line ?? asked;
    const moved = line === asked ? undefined : `moved from line ${asked}, which has no code`;
    const said = binding === undefined ? 'no session has loaded the file yet' : binding.message;
    const message = [moved, said].filter((each) => each !== undefined).join('; ') || undefined;
    return {
      breakpointId: breakpoint.id,
      file: args.file,
      line,
      verified: binding?.verified ?? false,
      message,
      ...(breakpoint.lineText === undefined || line !== breakpoint.line ? {} : { lineContent: breakpoint.lineText }),
    };
  },
  render: (data, _budget, root) =>
    `Breakpoint at ${displayPath(root, data.file)}:${data.line} (${data.verified ? 'verified' : 'unverified'}${data.message === undefined ? '' : `: ${data.message}`}) [${data.breakpointId}]${data.lineContent === undefined ? '' : `\n  ${data.lineContent}`}`,
});
