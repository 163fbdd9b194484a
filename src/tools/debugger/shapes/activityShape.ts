import { z } from 'zod';

/** What a program that runs does: one thread in full, the others in a line. */
export const activityShape = z.object({
  /** `busy`, `waiting for input`, `deadlock of 2 threads`: the whole in a few words. */
  summary: z.string(),
  threads: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      doing: z.string(),
      at: z.string().optional(),
      code: z.string().optional(),
      changes: z.array(z.string()).optional(),
      stack: z.array(z.string()).optional(),
    }),
  ),
  moreThreads: z.int().optional(),
});

export type ActivityData = z.output<typeof activityShape>;
