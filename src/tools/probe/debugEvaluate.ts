import { z } from 'zod';
import { defineTool } from '../defineTool.ts';

export const debugEvaluate = defineTool({
  name: 'debug_evaluate',
  title: 'Evaluate',
  description: 'Evaluates an expression in the current frame, or in another one of debug_stack.',
  faces: ['probe'],
  toolset: 'probe',
  effect: 'execute',
  requires: ['session'],
  input: z.object({ expression: z.string().min(1), frame: z.int().min(0).optional() }),
  output: z.object({ value: z.string(), type: z.string(), id: z.string().optional() }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project);
    const found = await session.inspection.evaluate(args.expression, {
      frameIndex: args.frame,
      signal: call.signal,
    });
    return {
      value: found.value,
      type: found.type,
      id: found.reference,
    };
  },
  render: (data) => `(${data.type}) ${data.value}`,
});
