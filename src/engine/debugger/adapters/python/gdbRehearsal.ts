import { ToolError } from '../../../../base/errors.ts';
import { withTimeout } from '../../../../base/cancellation.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';

const rehearsalMs = 10_000;
/** One answer per gdb and life of this process: neither it nor the processor changes. */
const outcomes = new Map<string, Promise<string | undefined>>();

/**
 * gdb calls a function inside the program that is attached to. Some versions cannot do that on newer processors, and the program dies of
 * the attempt; so it is tried first on a process of our own. Refuses before the program is touched.
 */
export async function requireWorkingGdb(python: string, env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  const key = env['PATH'] ?? '';
  const outcome = outcomes.get(key) ?? rehearse(python, childEnvironment(env), cwd);
  outcomes.set(key, outcome);
  const problem = await outcome;
  if (problem === undefined) return;
  outcomes.delete(key);
  throw new ToolError(
    'attach_failed',
    `gdb cannot call into a running process on this machine, so the program was not touched: ${problem}`,
    { hint: 'Install gdb 14 or newer, or start the program with: python -m debugpy --listen 5678 program.py' },
  );
}

/** Undefined when it works, or when there is no gdb: that is told by whoever needs it. */
async function rehearse(python: string, env: NodeJS.ProcessEnv, cwd: string): Promise<string | undefined> {
  const victim = await ManagedProcess.start({
    name: 'a process to try gdb on',
    command: python,
    args: ['-I', '-S', '-c', 'import time; print("up", flush=True); time.sleep(60)'],
    cwd,
    env,
  });
  try {
    await withTimeout(new Promise((resolve) => victim.stdout.once('data', resolve)), rehearsalMs);
    const said = await callByGdb(victim.pid, env, cwd);
    if (said === undefined || (said.includes(`= ${victim.pid}`) && !victim.hasExited)) return undefined;
    return said.trim().split('\n').pop()?.slice(0, 200) ?? 'it gave no answer';
  } finally {
    await victim.kill(0);
  }
}

/** What gdb prints; undefined when it is not there. */
async function callByGdb(pid: number, env: NodeJS.ProcessEnv, cwd: string): Promise<string | undefined> {
  let gdb: ManagedProcess;
  try {
    gdb = await ManagedProcess.start({
      name: 'gdb',
      command: 'gdb',
      args: ['--nx', '--batch', '-p', String(pid), '-ex', 'print ((int (*)(void)) getpid)()'],
      cwd,
      env,
    });
  } catch {
    return undefined;
  }
  let output = '';
  for (const stream of [gdb.stdout, gdb.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-4000)));
  try {
    await withTimeout(gdb.exited, rehearsalMs);
    return output;
  } catch {
    return `${output}\nit did not end within ${rehearsalMs / 1000} s`;
  } finally {
    await gdb.kill(0);
  }
}
