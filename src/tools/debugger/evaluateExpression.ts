import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { defineTool } from '../defineTool.ts';
import { quoted } from './shapes/deeds.ts';
import { typedValue } from './shapes/renderProgress.ts';
import { frameIndex, sessionId } from './shapes/shapes.ts';

export const evaluateExpression = defineTool({
  name: 'evaluate_expression',
  title: 'Evaluate expression',
  description:
    'Evaluates an expression or statements in a frame of the paused program, within the safety mode of the settings.',
  faces: ['debugger'],
  toolset: 'debugger',
  effect: 'execute',
  requires: ['session'],
  input: z.object({
    expression: z.string().min(1),
    session_id: sessionId,
    frame_index: frameIndex,
    timeout_ms: z.int().min(1).max(30_000).optional().describe('Default 5000'),
  }),
  output: z.object({
    sessionId: z.string(),
    frameIndex: z.int().optional(),
    note: z.string().optional(),
    result: z.object({
      expression: z.string(),
      value: z.string(),
      type: z.string(),
      hasChildren: z.boolean(),
      id: z.string().optional(),
      error: z.string().optional(),
    }),
  }),
  run: async (engines, args, call) => {
    const session = engines.debugger.session(call.project, args.session_id);
    // Of a program that runs there is no frame: only what is global can be seen.
    const where =
      session.state === 'paused'
        ? { frameIndex: args.frame_index ?? session.standing.frameIndex ?? 0 }
        : { note: 'The program is running: evaluated in the global scope, not in a frame.' };
    try {
      const value = await session.inspection.evaluate(args.expression, {
        frameIndex: args.frame_index,
        timeoutMs: args.timeout_ms,
        signal: call.signal,
      });
      return {
        sessionId: session.id,
        ...where,
        result: {
          expression: args.expression,
          value: value.value,
          type: value.type,
          hasChildren: value.reference !== undefined,
          id: value.reference,
        },
      };
    } catch (error) {
      // That the expression is wrong is a result of evaluating it; that it may not be evaluated is a refusal.
      if (!(error instanceof ToolError) || error.code !== 'evaluation_error') throw error;
      return {
        sessionId: session.id,
        ...where,
        result: { expression: args.expression, value: '', type: 'error', hasChildren: false, error: error.message },
      };
    }
  },
  deed: ({ expression }, { result }) =>
    `evaluated ${quoted(expression)}, which gave ${quoted(result.error ?? result.value)}`,
  render: ({ result, note }) => {
    const said = note === undefined ? '' : `\n${note}`;
    if (result.error !== undefined) return `Error: ${result.error}${said}`;
    const id = result.id === undefined || !result.value.includes('…') ? '' : ` #${result.id}`;
    return `${typedValue(result.type, result.value)}${id}${said}`;
  },
});
