import { join } from 'node:path';
import { advise, step } from '../../../../base/text/advice.ts';
import { untilCancelled, withTimeout } from '../../../../base/cancellation.ts';
import { ToolError } from '../../../../base/errors.ts';
import { platform } from '../../../../base/platform/here.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';
import type { BackendHost } from '../../targets/dap/debuggee.ts';
import { environmentWithGdb } from './gdbRehearsal.ts';
import type { PythonTools } from './pythonBackend.ts';

/** Brings debugpy into a running process, which then calls us. It takes gdb, except where Python 3.14 can do it by itself. */
export async function attachByPid(
  pid: number,
  orders: { port: number; token: string },
  tools: PythonTools,
  host: BackendHost,
  called: Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const executable = requirePython(pid);
  const { env, root } = host.project;
  const injecting = joinsByItself(executable)
    ? env
    : await environmentWithGdb(tools.python, env, root, tools.folderOfGdb);
  const injector = await ManagedProcess.start({
    name: `the injector for process ${pid}`,
    command: tools.python,
    args: [
      join(tools.debugpyFolder, 'debugpy'),
      '--connect',
      `127.0.0.1:${orders.port}`,
      '--adapter-access-token',
      orders.token,
      '--pid',
      String(pid),
    ],
    cwd: root,
    env: childEnvironment(injecting, { PYDEVD_DISABLE_FILE_VALIDATION: '1' }),
  });
  let output = '';
  for (const stream of [injector.stdout, injector.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-4000)));
  const failed = injector.exited.then(({ code }): Promise<never> => {
    // A success only says that the code is in; the process calls when it next runs Python code.
    if (code === 0) return new Promise<never>(() => undefined);
    throw new ToolError(
      'attach_failed',
      `debugpy could not be brought into process ${pid}: ${whyNotInjected(pid, output)}`,
      {
        hint: advise`Start the program with ${step('startDebugSession')} instead, or with: python -m debugpy --listen 5678 program.py`,
      },
    );
  });
  failed.catch(() => undefined);
  try {
    const late = () =>
      new ToolError(
        'attach_failed',
        `Process ${pid} did not call within 30 s: it may be inside a native call. ${lastLine(output)}`,
      );
    await withTimeout(untilCancelled(Promise.race([called, failed]), signal), 30_000, late);
    // Until gdb lets go by itself the process stands still; killed earlier, gdb would leave it that way.
    await withTimeout(injector.exited, 15_000, late);
  } finally {
    await injector.kill();
  }
}

/** Python 3.14 and newer take code from outside without gdb. */
function joinsByItself(executable: string | undefined): boolean {
  const minor = /python3\.(\d+)/.exec(executable ?? '')?.[1];
  return minor !== undefined && Number(minor) >= 14;
}

/** Its executable, where the system tells. */
function requirePython(pid: number): string | undefined {
  const executable = platform.processes.executable(pid);
  if (executable === 'gone') throw new ToolError('attach_failed', `There is no process ${pid}.`);
  if (executable === 'denied') throw new ToolError('attach_failed', `Process ${pid} belongs to another user.`);
  // The injector itself will tell.
  if (executable === 'unknown') return undefined;
  if (!/python|pypy/i.test(executable.path))
    throw new ToolError('attach_failed', `Process ${pid} is ${executable.path}, not Python.`);
  return executable.path;
}

/** The injector's last words, in one sentence. A shell that finds no program ends with 127. */
export function whyNotInjected(pid: number, output: string): string {
  if (/gdb.*(not found|No such file)|No such file or directory: 'gdb'|Command 'gdb [^]*exit status 127/i.test(output))
    return 'gdb is not installed, and this Python (older than 3.14) cannot be joined without it.';
  if (/Operation not permitted|ptrace/i.test(output)) {
    const limit = platform.processes.tracingLimit();
    return `the system does not allow tracing process ${pid}${limit === undefined ? '' : ` (${limit})`}.`;
  }
  return lastLine(output);
}

function lastLine(output: string): string {
  return output.trim().split('\n').pop()?.slice(0, 300) ?? '';
}
