import { parseArgs } from 'node:util';
import { appDirs } from '../../base/appDirs.ts';
import type { Command } from '../command.ts';
import { openInBrowser } from '../openBrowser.ts';
import { joinShared } from '../sharedClient.ts';

export const dashboard: Command = {
  name: 'dashboard',
  summary: 'open the dashboard in a browser',
  usage: `sightline dashboard [--print]

Opens the dashboard of the shared process, which is started when there is none. The link works once; --print only prints it.`,
  run: async (words, context) => {
    const { values } = parseArgs({ args: words, options: { print: { type: 'boolean', default: false } } });
    const control = await joinShared(context);
    try {
      await control.request('open', { path: context.cwd });
      const { url } = await control.request('dashboardLink', {});
      if (values.print || !(await openInBrowser(url, appDirs(context.env).runtime, context.env))) context.out(url);
      else context.out('The dashboard was opened in your browser. sightline dashboard --print prints a link instead.');
      return 0;
    } finally {
      control.dispose();
    }
  },
};
