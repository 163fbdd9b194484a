import { cancellationReason } from '../../../base/cancellation.ts';
import { ToolError } from '../../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';
import type { Project } from '../../workspace/project.ts';

const maxOutputBytes = 64 * 1024 * 1024;
const timeoutMs = 40_000;

/** Runs a program that reads a text and writes another. Anything but success is an error with what it wrote to stderr. */
export async function runFilter(
  project: Project,
  command: readonly string[],
  input: string,
  { signal, okCodes = [] }: { signal?: AbortSignal | undefined; okCodes?: readonly number[] } = {},
): Promise<string> {
  const [program = '', ...args] = command;
  const child = await ManagedProcess.start({
    name: program.split('/').at(-1) ?? program,
    command: program,
    args,
    cwd: project.root,
    env: childEnvironment(project.env),
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let stopped: ToolError | undefined;
  const stop = (why: ToolError): void => {
    stopped ??= why;
    void child.kill(0);
  };
  const timer = setTimeout(
    () => stop(new ToolError('timeout', `${child.name} took more than ${timeoutMs} ms.`)),
    timeoutMs,
  );
  const onAbort = (): void => stop(new ToolError('cancelled', 'The call was cancelled.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxOutputBytes)
        stop(new ToolError('too_large', `${child.name} wrote more than ${maxOutputBytes} bytes.`));
    });
    const drained = new Promise((resolve) => child.stdout.once('close', resolve));
    child.stdin.end(input);
    const exit = await child.exited;
    await drained;
    if (signal?.aborted) throw cancellationReason(signal);
    if (stopped !== undefined) throw stopped;
    if (exit.code !== 0 && !okCodes.includes(exit.code ?? -1))
      throw new ToolError(
        'command_failed',
        `${child.name} failed: ${lastLines(child.stderrTail) || `exit code ${exit.code}`}`,
        {
          hint: 'Nothing was changed. A syntax error in the file is the usual cause.',
        },
      );
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    if (!child.hasExited) await child.kill(0);
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-6).join('\n').slice(0, 800);
}
