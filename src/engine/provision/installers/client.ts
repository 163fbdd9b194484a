import { ToolError } from '../../../base/errors.ts';
import type { InstallContext, ToolRunOptions } from '../model.ts';
import { failureOf, looksOffline } from '../probes.ts';

const installTimeoutMs = 15 * 60_000;

/** Runs npm, pip, go or another client as part of an install: its lines are progress, its failure is a sentence. */
export async function runClient(
  name: string,
  command: readonly string[],
  context: InstallContext,
  options: ToolRunOptions = {},
): Promise<string> {
  const result = await context.run(command, {
    timeoutMs: installTimeoutMs,
    signal: context.signal,
    onLine: (line) => context.progress(line),
    ...options,
  });
  if (result.code === 0) return result.stdout;
  const cause = failureOf(result);
  const reason = looksOffline(result)
    ? `${name} could not reach its registry (offline, or a proxy or mirror that does not answer or lacks it). It ${cause}`
    : `${name} ${cause}`;
  throw new ToolError('engine_failed', reason);
}
