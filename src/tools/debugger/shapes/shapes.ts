import { z } from 'zod';
import { activityShape } from './activityShape.ts';

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
  /** The failing statement names it. */
  isRead: z.boolean().optional(),
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
  /** With the line itself when it is in no file. */
  thrownAt: z.object({ file: z.string().nullable(), line: z.int(), code: z.string().optional() }).optional(),
  /** Where both sides of a failed comparison differ; a side that has nothing there is absent. */
  differences: z
    .array(
      z.object({
        path: z.string(),
        actual: z.string().optional(),
        expected: z.string().optional(),
        left: z.string().optional(),
        right: z.string().optional(),
      }),
    )
    .optional(),
  moreDifferences: z.int().optional(),
  /** Its causes and, of a group, its members: `cause: KeyError: 'EUR' at shop.py:72 in load_config`. */
  related: z.array(z.string()).optional(),
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
  /** Of a failure: the callers in the user's own code, each with what it was called with and the code that it calls from. */
  calls: z.array(z.string()).optional(),
  /** What was left out to stay short, and how to see it. */
  leftOut: z.string().optional(),
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
  activity: activityShape.optional(),
  exitCode: z.int().optional(),
  exitSignal: z.string().optional(),
  exitReason: z.string().optional(),
  neverHit: z.array(neverHitShape).optional(),
};

const progressObject = z.object(progressShape);
export type Progress = z.output<typeof progressObject>;
export type StopData = z.output<typeof stopShape>;
