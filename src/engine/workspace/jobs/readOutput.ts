import { completeLength, continuationBytes, readable, type OutputPage } from './jobOutput.ts';
import type { JobView } from './jobView.ts';

/** At most `maxBytes` of a job's output from a position on, from disk where memory has let go of it. */
export async function readOutput(job: JobView, from: number, maxBytes: number): Promise<OutputPage> {
  const page = job.output.read(from, maxBytes);
  if (page.droppedBytes === 0) return page;
  const { bytes, from: given } = await job.log.read(from, maxBytes);
  // The disk keeps more than memory, unless it took nothing.
  if (bytes.length === 0 || given >= page.from) return page;
  const skipped = continuationBytes(bytes);
  const whole = bytes.subarray(skipped);
  const text = whole.subarray(0, completeLength(whole));
  return {
    text: readable(text),
    from: given + skipped,
    next: given + skipped + text.length,
    droppedBytes: given - from,
  };
}
