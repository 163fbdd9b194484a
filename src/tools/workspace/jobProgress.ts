import { clip } from '../../base/text/textBudget.ts';
import type { Job } from '../../engine/workspace/jobs/job.ts';
import type { ToolCall } from '../defineTool.ts';

const everyMs = 2000;

/** While `work` is under way, the client is told now and then how far it is. */
export async function withProgress<T>(call: ToolCall, describe: () => string, work: Promise<T>): Promise<T> {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    call.progress(`${Math.round((Date.now() - startedAt) / 1000)} s, ${clip(describe(), 200)}`);
  }, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

export function jobProgress({ name, output }: Job): string {
  const lastLine = output.last(300).text.trimEnd().split('\n').at(-1) ?? '';
  return `${name}: ${output.totalBytes} bytes of output${lastLine === '' ? '' : `: ${lastLine}`}`;
}
