import type { RecordedRun } from '../../engine/debugger/ask/recordRun.ts';
import { withoutRunnerLines } from '../debugger/shapes/runnerOutput.ts';

const maxChars = 700;

/** The end of what the program printed; of a test run, what its runner said of failures. */
export function outputTail({ output, exit, isTest, recording }: RecordedRun): string {
  // The failure stands in the tree.
  if (isTest && (exit?.code === 0 || recording.roots.some(({ end }) => end?.threw !== undefined))) return '';
  const text = (isTest ? withoutRunnerLines(output) : output).trim();
  return text.length <= maxChars ? text : `…${text.slice(-maxChars)}`;
}
