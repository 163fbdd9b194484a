import { ToolError } from '../../../base/errors.ts';
import type { InstallContext, ToolRunOptions, ToolRunResult } from '../model.ts';
import { failureOf, looksOffline } from '../probes.ts';

const installTimeoutMs = 15 * 60_000;

/** What was fetched is not what is pinned. */
export class ForeignBytesError extends ToolError {
  constructor(client: string, details: string) {
    super(
      'engine_failed',
      `${client} was given other bytes than those that are pinned, and nothing was installed: a registry, mirror or cache on the way has changed them. ${details}`,
    );
  }
}

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
  const mismatch = mismatchIn(result);
  if (mismatch !== undefined) throw new ForeignBytesError(name, `It said: ${mismatch}`);
  const reason = looksOffline(result)
    ? `${name} could not reach its registry (offline, or a proxy or mirror that does not answer or lacks it). It ${cause}`
    : `${name} ${cause}`;
  throw new ToolError('engine_failed', reason);
}

/** As npm, pip, uv and go say it. */
const mismatchWords = /EINTEGRITY|integrity checksum failed|do not match the hashes|hash mismatch|checksum mismatch/i;

function mismatchIn({ stdout, stderr }: ToolRunResult): string | undefined {
  return `${stderr}\n${stdout}`
    .split('\n')
    .find((line) => mismatchWords.test(line))
    ?.trim()
    .slice(0, 300);
}
