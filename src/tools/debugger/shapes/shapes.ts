import { z } from 'zod';

/** Shapes that several debugger tools share. Keys are those of the documented contract. */

export const sessionId = z.string().optional();
export const frameIndex = z.int().min(0).optional();
/** The longest a run-control call waits for a stop; 0 returns at once. */
export const waitMs = z.int().min(0).max(40_000).optional();
export const defaultWaitMs = 20_000;

export const locationShape = z.object({
  file: z.string().nullable(),
  line: z.int().nullable(),
  className: z.string().nullable().optional(),
  methodName: z.string().nullable(),
});

export const variableShape = z.object({
  name: z.string(),
  value: z.string(),
  type: z.string(),
  hasChildren: z.boolean(),
  id: z.string().optional(),
  changed: z.boolean().optional(),
  previous: z.string().optional(),
  scope: z.string().optional(),
});

export const frameShape = z.object({
  index: z.int(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  className: z.string().nullable(),
  methodName: z.string().nullable(),
  isCurrent: z.boolean(),
  isLibrary: z.boolean(),
  asyncLabel: z.string().optional(),
});

export const exceptionShape = z.object({
  type: z.string(),
  message: z.string(),
  uncaught: z.boolean().optional(),
  details: z.record(z.string(), z.string()).optional(),
  thrownAt: z.object({ file: z.string().nullable(), line: z.int() }).optional(),
});

export const watchShape = z.object({
  id: z.string(),
  expression: z.string(),
  value: z.string().optional(),
  type: z.string().optional(),
  error: z.string().optional(),
});

export const sourceContextShape = z.object({
  file: z.string(),
  startLine: z.int(),
  endLine: z.int(),
  currentLine: z.int(),
  lines: z.array(z.object({ number: z.int(), content: z.string(), isCurrent: z.boolean() })),
  breakpointsInView: z.array(z.int()),
});

export const stopShape = z.object({
  reason: z.string(),
  description: z.string().optional(),
  breakpointId: z.string().optional(),
  location: locationShape.optional(),
  thread: z.string().optional(),
  process: z.string().optional(),
  /** `>>> 10 | code` marks the current line. */
  source: z.array(z.string()),
  variables: z.array(variableShape),
  moreVariables: z.int().optional(),
  stack: z.array(z.string()),
  moreFrames: z.int().optional(),
  exception: exceptionShape.optional(),
  watches: z.array(watchShape).optional(),
});

export const neverHitShape = z.object({ breakpointId: z.string(), at: z.string(), reason: z.string() });

/** What every run-control answer carries about where the program is now. */
export const progressShape = {
  state: z.enum(['starting', 'running', 'paused', 'stopped']),
  stop: stopShape.optional(),
  output: z.string().optional(),
  outputDropped: z.int().optional(),
  runningForMs: z.int().optional(),
  exitCode: z.int().optional(),
  exitSignal: z.string().optional(),
  exitReason: z.string().optional(),
  neverHit: z.array(neverHitShape).optional(),
};

export const progressObject = z.object(progressShape);
export type Progress = z.output<typeof progressObject>;
export type StopData = z.output<typeof stopShape>;
