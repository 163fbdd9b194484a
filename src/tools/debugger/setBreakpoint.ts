import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import { defineTool } from '../defineTool.ts';
import { placeOf, quoted } from './shapes/deeds.ts';

export const setBreakpoint = defineTool({
  name: 'set_breakpoint',
  title: 'Set breakpoint',
  description:
    'Sets a breakpoint at file+line, on a function, or on changes of a variable. Kept for the project (a variable: for the paused session). A log_message prints instead of pausing.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  paths: { file_path: 'readable' },
  input: z.object({
    file_path: z.string().optional(),
    line: z.int().min(1).optional(),
    column: z.int().min(1).optional(),
    line_text: z.string().optional().describe('Excerpt the line must contain; found nearby if lines moved'),
    function: z.string().optional().describe('Name, or Class.method'),
    variable: z.string().optional().describe('Stop when it changes: order.total. C, C++, Rust; fields in Java'),
    condition: z.string().optional(),
    hit_condition: z.string().optional().describe('5, >=5 or %5'),
    log_message: z.string().optional().describe('With {expressions}'),
    suspend_policy: z.enum(['all', 'thread', 'none']).optional(),
    enabled: z.boolean().optional(),
    temporary: z.boolean().optional(),
  }),
  output: z.object({
    breakpointId: z.string(),
    status: z.string(),
    verified: z.boolean(),
    message: z.string(),
    file: z.string().optional(),
    line: z.int().optional(),
    lineContent: z.string().optional(),
    willBindAt: z.string().optional(),
    nearestLines: z.array(z.int()).optional(),
  }),
  run: async (engines, args, call) => {
    const common = {
      enabled: args.enabled ?? true,
      temporary: args.temporary ?? false,
      suspendPolicy: args.suspend_policy ?? (args.log_message === undefined ? ('all' as const) : ('none' as const)),
      condition: args.condition,
      hitCondition: args.hit_condition,
      logMessage: args.log_message,
    };
    if (args.variable !== undefined) {
      const { breakpoint } = await engines.debugger.setBreakpoint(call.project, {
        ...common,
        type: 'data',
        expression: args.variable,
      });
      const message = `Stops when ${args.variable} changes`;
      return { breakpointId: breakpoint.id, status: 'set', verified: true, message };
    }
    if (args.function !== undefined) {
      const { breakpoint, binding } = await engines.debugger.setBreakpoint(call.project, {
        ...common,
        type: 'function',
        functionName: args.function,
      });
      const bound = binding?.verified === true ? binding : undefined;
      return {
        breakpointId: breakpoint.id,
        status: 'set',
        verified: bound !== undefined,
        message: `Breakpoint set on ${args.function}()${bound === undefined ? '; not bound until a session loads it' : ''}`,
        ...(bound?.location?.file === undefined ? {} : { file: bound.location.file, line: bound.location.line }),
      };
    }
    if (args.file_path === undefined || args.line === undefined)
      throw new ToolError('invalid_arguments', 'A breakpoint needs file_path and line, function, or variable.');
    if (engines.buffers.unsaved(args.file_path).length > 0)
      call.note(
        'The file has unsaved changes in an editor; lines here are those of the saved text, which programs run',
      );
    const { breakpoint, binding, movedFrom } = await engines.debugger.setBreakpoint(
      call.project,
      {
        ...common,
        type: 'line',
        file: args.file_path,
        line: args.line,
        ...(args.column === undefined ? {} : { column: args.column }),
      },
      args.line_text,
    );
    const asked = breakpoint.line ?? args.line;
    const line = binding?.location?.line ?? asked;
    const note = [
      ...(movedFrom === undefined ? [] : [` (line_text found there, not at ${movedFrom})`]),
      ...(line === asked ? [] : [` (moved from ${asked}: no code there)`]),
      ...(binding?.message === undefined ? [] : [`; ${binding.message}`]),
      ...(binding === undefined ? ['; it is bound when a session loads the file'] : []),
    ].join('');
    const willBindAt = binding?.willBindAt;
    return {
      breakpointId: breakpoint.id,
      status: 'set',
      verified: binding?.verified ?? false,
      message: `Breakpoint set at ${displayPath(call.project.root, args.file_path)}:${line}${note}`,
      file: args.file_path,
      line,
      ...(breakpoint.lineText === undefined || line !== breakpoint.line ? {} : { lineContent: breakpoint.lineText }),
      ...(willBindAt?.file === undefined
        ? {}
        : { willBindAt: `${displayPath(call.project.root, willBindAt.file)}:${willBindAt.line}` }),
      ...(binding?.nearestLines === undefined ? {} : { nearestLines: [...binding.nearestLines] }),
    };
  },
  deed: (args, data, root) => {
    if (args.variable !== undefined) return `set a breakpoint on changes of ${args.variable}`;
    const place = args.function === undefined ? placeOf(root, data.file, data.line) : `${args.function}()`;
    const when = args.condition === undefined ? '' : ` with the condition ${quoted(args.condition)}`;
    return `${args.enabled === false ? 'disabled the' : 'set a'} breakpoint at ${place}${when}`;
  },
  render: (data) =>
    `${data.message} (${data.breakpointId}, ${data.verified ? 'verified' : 'unverified'})${data.lineContent === undefined ? '' : `\n  ${data.lineContent}`}`,
});
