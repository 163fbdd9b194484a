import { delimiter } from 'node:path';
import { ToolError } from '../../../../base/errors.ts';
import { withTimeout } from '../../../../base/cancellation.ts';
import { childEnvironment, ManagedProcess } from '../../../../base/processes.ts';

const rehearsalMs = 10_000;
/** One answer per gdb and life of this process: neither it nor the processor changes. */
const outcomes = new Map<string, Promise<Rehearsal>>();

type Rehearsal = 'works' | 'missing' | { problem: string };

/**
 * gdb calls a function inside the program that is attached to. Some versions cannot do that on newer processors, and the program dies of
 * the attempt; so it is tried first on a process of our own, then the one in our cache. Refuses before the program is touched.
 * Gives the environment in which `gdb` is one that works; where there is none at all, that is told by whoever needs it.
 */
export async function environmentWithGdb(
  python: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  folderOfOurs: () => Promise<string | undefined>,
): Promise<NodeJS.ProcessEnv> {
  const first = await rehearsed(python, env, cwd);
  if (first === 'works') return env;
  const folder = await folderOfOurs();
  const ours = folder === undefined ? undefined : { ...env, PATH: [folder, env['PATH']].join(delimiter) };
  const second = ours === undefined ? first : await rehearsed(python, ours, cwd);
  if (ours !== undefined && second === 'works') return ours;
  const problem = typeof first === 'object' ? first.problem : typeof second === 'object' ? second.problem : undefined;
  if (problem === undefined) return env;
  throw new ToolError(
    'attach_failed',
    `gdb cannot call into a running process on this machine, so the program was not touched: ${problem}`,
    {
      hint: 'Install a newer gdb with: sightline setup cpp. Or start the program with: python -m debugpy --listen 5678 program.py',
    },
  );
}

async function rehearsed(python: string, env: NodeJS.ProcessEnv, cwd: string): Promise<Rehearsal> {
  const key = env['PATH'] ?? '';
  const outcome = outcomes.get(key) ?? rehearse(python, childEnvironment(env), cwd);
  outcomes.set(key, outcome);
  // One that is missing or fails may be replaced.
  if ((await outcome) !== 'works') outcomes.delete(key);
  return outcome;
}

async function rehearse(python: string, env: NodeJS.ProcessEnv, cwd: string): Promise<Rehearsal> {
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
    if (said === undefined) return 'missing';
    if (said.includes(`= ${victim.pid}`) && !victim.hasExited) return 'works';
    return { problem: said.trim().split('\n').pop()?.slice(0, 200) ?? 'it gave no answer' };
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
