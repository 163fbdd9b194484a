import type { z } from 'zod';
import { displayPath } from '../../../base/paths.ts';
import type { FrameView } from '../../../engine/debugger/report.ts';
import type { frameShape } from './shapes.ts';

/** `Order.total src/order.ts:12`, of a frame of the engine or of an answer. */
export function frameText(frame: FrameView | z.output<typeof frameShape>, root: string): string {
  const file = frame.file ?? undefined;
  const place = file === undefined ? '' : ` ${displayPath(root, file)}:${frame.line ?? 0}`;
  const border = frame.asyncLabel === undefined ? '' : 'async ';
  return `${border}${'name' in frame ? frame.name : qualified(frame)}${place}`;
}

function qualified(frame: z.output<typeof frameShape>): string {
  const name = frame.methodName ?? '';
  // Some engines put the class into the name already, or have a frame for the class's own body.
  return frame.className === null || name.startsWith(`${frame.className}.`) ? name : `${frame.className}.${name}`;
}
