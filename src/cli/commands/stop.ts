import { delay } from '../../base/cancellation.ts';
import { appDirs } from '../../base/appDirs.ts';
import { isAlive, type ProcessIdentity } from '../../base/processIdentity.ts';
import { reapOrphans } from '../../base/processes.ts';
import { cleanAfterKilled, sharedProcesses } from '../../server/daemon/ownProcesses.ts';
import type { Command, CommandContext } from '../command.ts';
import { findRunning } from '../sharedClient.ts';

/** For one that said it would end, and for one that did not answer. */
const patienceMs = { asked: 6000, silent: 4000 };

export const stop: Command = {
  name: 'stop',
  summary: 'end the running process and everything it started',
  usage: 'sightline stop\n\nOne that does not answer any more is ended all the same.',
  run: async (_words, context) => {
    const { runtime } = appDirs(context.env);
    const running = sharedProcesses(runtime);
    if (running.length === 0) {
      context.out('Sightline is not running.');
      return 0;
    }
    const asked = await askToStop(context);
    const forced: number[] = [];
    for (const identity of running) if (!(await endOf(identity, asked))) forced.push(identity.pid);
    const left = running.filter(isAlive).map(({ pid }) => pid);
    if (left.length > 0) {
      context.err(`Not ended: process ${left.join(', ')}.`);
      return 1;
    }
    if (forced.length > 0) {
      // What it could not take away itself.
      cleanAfterKilled(runtime);
      reapOrphans();
    }
    const words = running.map(({ pid }) => (forced.includes(pid) ? `${pid}, which did not answer` : String(pid)));
    context.out(`Stopped (process ${words.join('; ')}).`);
    return 0;
  },
};

/** The pid of the process that said it would. */
async function askToStop(context: CommandContext): Promise<number | undefined> {
  const control = await findRunning(context).catch(() => undefined);
  if (control === undefined) return undefined;
  try {
    const answer = await Promise.race([control.request('stop', {}), delay(2000)]);
    return answer?.pid;
  } catch {
    return undefined;
  } finally {
    control.dispose();
  }
}

/** False when it had to be forced. Only its exit says that nothing is left: its socket closes before its children have all ended. */
async function endOf(identity: ProcessIdentity, asked: number | undefined): Promise<boolean> {
  if (identity.pid !== asked) signal(identity, 'SIGTERM');
  const deadline = Date.now() + (identity.pid === asked ? patienceMs.asked : patienceMs.silent);
  while (isAlive(identity) && Date.now() < deadline) await delay(10);
  if (!isAlive(identity)) return identity.pid === asked;
  signal(identity, 'SIGKILL');
  const end = Date.now() + 1000;
  while (isAlive(identity) && Date.now() < end) await delay(10);
  return false;
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    if (isAlive(identity)) process.kill(identity.pid, name);
  } catch {
    // Gone meanwhile.
  }
}
