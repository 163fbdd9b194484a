import { delay, untilCancelled } from '../../base/cancellation.ts';
import { TransportError } from '../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';

interface ProgramRun {
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Written to its stdin. */
  input?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
}

interface ProgramResult {
  stdout: string;
  stderr: string;
  code: number | null;
  /** More than `maxBytes` came: the rest was dropped and the program ended. */
  truncated: boolean;
}

/** Runs a program to its end and gives what it wrote. It is ended when the caller gives up or the time is over. */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const child = await ManagedProcess.start({
    name: run.name,
    command: run.command,
    args: run.args,
    cwd: run.cwd,
    env: childEnvironment(run.env),
  });
  child.stdin.end(run.input);
  const chunks: Buffer[] = [];
  const maxBytes = run.maxBytes ?? 64 * 1024 * 1024;
  let bytes = 0;
  let truncated = false;
  const closed = new Promise<void>((resolve) => child.stdout.once('close', resolve));
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (!truncated) {
      truncated = true;
      void child.kill(0);
    }
  });
  const timer = new AbortController();
  try {
    const ended = closed.then(() => child.exited);
    const late = delay(run.timeoutMs ?? 60_000, timer.signal).then((): never => {
      throw new TransportError(
        run.name,
        `${run.name} did not end within ${run.timeoutMs ?? 60_000} ms.`,
        child.stderrTail,
      );
    });
    late.catch(() => undefined);
    const { code } = await untilCancelled(Promise.race([ended, late]), run.signal);
    return { stdout: Buffer.concat(chunks).toString('utf8'), stderr: child.stderrTail, code, truncated };
  } finally {
    timer.abort();
    if (!child.hasExited) await child.kill(0);
  }
}
