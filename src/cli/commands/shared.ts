import { appDirs } from '../../base/appDirs.ts';
import { endNow, endOwned } from '../../base/processes.ts';
import { AlreadyRunningError } from '../../server/daemon/sharedProcess.ts';
import { dropSparing } from '../../server/daemon/sparing.ts';
import { agentCommand } from '../agentCommand.ts';
import type { Command } from '../command.ts';
import { processLife } from '../processLife.ts';
import { runProcess, type RunningProcess } from '../runProcess.ts';

/** What a shim starts in the background. Not for people: it prints nothing and leaves by itself. */
export const shared: Command = {
  name: 'shared',
  summary: 'the process in the background, as shims start it',
  usage: 'sightline shared\n\nStarted by sightline stdio and sightline; sightline serve is the same in the foreground.',
  hidden: true,
  run: async (_words, context) => {
    dropSparing(context.env);
    let running: RunningProcess | undefined;
    const life = processLife(() => running?.sightline.logger);
    try {
      running = await runProcess(
        {
          env: context.env,
          entry: context.entry,
          serverCommand: [...agentCommand(context.entry, context.env), 'stdio'],
          leavesWhenIdle: true,
          onEnd: (reason) => life.end(reason),
        },
        appDirs(context.env).runtime,
      );
    } catch (error) {
      // Another was quicker; whoever started us finds it.
      if (error instanceof AlreadyRunningError) return 0;
      throw error;
    }
    const reason = await life.ending;
    running.sightline.logger.info(`The process ends: ${reason}.`);
    await running.dispose();
    endOwned();
    // The runtime's own exit has hung before, unseen by everybody; nothing is left that it would have to do.
    endNow();
    return 0;
  },
};
