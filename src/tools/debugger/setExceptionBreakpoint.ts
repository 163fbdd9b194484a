import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { defineTool } from '../defineTool.ts';

export const setExceptionBreakpoint = defineTool({
  name: 'set_exception_breakpoint',
  title: 'Set exception breakpoint',
  description:
    'Stops where exceptions are thrown: of one class or all, caught and/or uncaught (also those only a framework or test runner catches).',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  input: z.object({
    exception_class: z.string().optional().describe('e.g. TypeError; omitted: all'),
    caught: z.boolean().optional().describe('Default false'),
    uncaught: z.boolean().optional().describe('Default true'),
    enabled: z.boolean().optional(),
    condition: z.string().optional(),
  }),
  output: z.object({
    breakpointId: z.string(),
    status: z.string(),
    exceptionClass: z.string().nullable(),
    caught: z.boolean(),
    uncaught: z.boolean(),
    enabled: z.boolean(),
    message: z.string(),
  }),
  run: async (engines, args, call) => {
    const caught = args.caught ?? false;
    const uncaught = args.uncaught ?? true;
    if (!caught && !uncaught)
      throw new ToolError(
        'breakpoint_error',
        'An exception breakpoint that stops neither at caught nor at uncaught ones never stops.',
        {
          hint: 'Pass caught: true or uncaught: true; to turn it off pass enabled: false.',
        },
      );
    const { breakpoint } = await engines.debugger.setBreakpoint(call.project, {
      type: 'exception',
      enabled: args.enabled ?? true,
      temporary: false,
      suspendPolicy: 'all',
      caught,
      uncaught,
      isAsked: true,
      exceptionClass: args.exception_class,
      condition: args.condition,
    });
    const kinds = [...(caught ? ['caught'] : []), ...(uncaught ? ['uncaught'] : [])].join(' and ');
    return {
      breakpointId: breakpoint.id,
      status: 'set',
      exceptionClass: args.exception_class ?? null,
      caught,
      uncaught,
      enabled: breakpoint.enabled,
      message: `Stops at ${kinds} exceptions${args.exception_class === undefined ? '' : ` of ${args.exception_class}`}`,
    };
  },
  render: (data) => `${data.message} (${data.breakpointId})${data.enabled ? '' : ', disabled'}.`,
});
