import { z } from 'zod';
import { ToolError } from '../../../base/errors.ts';
import type { ProbePoint } from '../../../engine/debugger/probe.ts';

/** What a breakpoint may have, wherever a list of them is taken. */
const pointFields = {
  file: z.string().optional(),
  line: z.int().min(1).optional(),
  column: z.int().min(1).optional(),
  line_text: z.string().optional(),
  function: z.string().optional(),
  condition: z.string().optional(),
  hit_condition: z.string().optional(),
  log_message: z.string().optional(),
};

export const pointShape = z.object(pointFields);
export const probePointShape = z.object({ ...pointFields, expressions: z.array(z.string()).optional() });

type PointArguments = z.infer<typeof probePointShape>;

/** At a line or on a function; a log point never pauses. */
export function pointOf(point: PointArguments): ProbePoint {
  const { file, line, column } = point;
  const common = {
    enabled: true,
    temporary: false,
    suspendPolicy: point.log_message === undefined ? ('all' as const) : ('none' as const),
    condition: point.condition,
    hitCondition: point.hit_condition,
    logMessage: point.log_message,
  };
  if (point.function !== undefined)
    return { wanted: { ...common, type: 'function', functionName: point.function }, expressions: point.expressions };
  if (file === undefined || line === undefined)
    throw new ToolError(
      'invalid_arguments',
      'A breakpoint needs file and line (line_text then finds the line near it), or function.',
    );
  const place = { file, line, ...(column === undefined ? {} : { column }) };
  return { wanted: { ...common, type: 'line', ...place }, anchor: point.line_text, expressions: point.expressions };
}
