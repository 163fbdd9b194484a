import { delay } from '../../base/cancellation.ts';
import { appDirs } from '../../base/appDirs.ts';
import { isAlive } from '../../base/processIdentity.ts';
import { findShared } from '../../server/daemon/discovery.ts';
import type { Command } from '../command.ts';
import { findRunning } from '../sharedClient.ts';

const patienceMs = 6000;

export const stop: Command = {
  name: 'stop',
  summary: 'end the running process and everything it started',
  usage: 'sightline stop',
  run: async (_words, context) => {
    const found = findShared(appDirs(context.env).runtime);
    const control = await findRunning(context);
    if (control === undefined || found.state !== 'running') {
      context.out('Sightline is not running.');
      return 0;
    }
    const { pid } = await control.request('stop', {});
    await control.closed;
    // Its socket closes before its children have all ended; only its exit says that nothing is left.
    const deadline = Date.now() + patienceMs;
    while (isAlive(found.discovery) && Date.now() < deadline) await delay(10);
    if (isAlive(found.discovery)) {
      context.err(`Process ${pid} has not ended yet.`);
      return 1;
    }
    context.out(`Stopped (process ${pid}).`);
    return 0;
  },
};
