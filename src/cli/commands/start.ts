import { appDirs } from '../../base/appDirs.ts';
import { discoveryPath } from '../../server/daemon/discovery.ts';
import { agentCommand } from '../agentCommand.ts';
import type { Command } from '../command.ts';
import { connectText } from '../connectText.ts';
import { joinShared } from '../sharedClient.ts';

export const start: Command = {
  name: 'start',
  summary: 'start or join the process for this directory (also: sightline without a command)',
  usage: `sightline [start]

Starts the shared process, or joins the one that runs, opens the project of the current directory and says how to connect an
agent. A person who starts Sightline in a directory trusts it.`,
  run: async (_words, context) => {
    const control = await joinShared(context);
    try {
      const project = await control.request('open', { path: context.cwd });
      const { version, pid, url } = await control.request('status', {});
      const dashboard = await control.request('dashboardLink', {});
      context.out(
        connectText({
          version,
          pid,
          url,
          project: project.path,
          command: agentCommand(context.entry, context.env),
          dashboard: dashboard.url,
          tokenFile: discoveryPath(appDirs(context.env).runtime),
        }),
      );
      return 0;
    } finally {
      control.dispose();
    }
  },
};
