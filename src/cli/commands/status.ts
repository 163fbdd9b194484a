import type { ProcessStatus } from '../../server/daemon/controlProtocol.ts';
import { appDirs } from '../../base/appDirs.ts';
import { errorMessage } from '../../base/errors.ts';
import { sharedProcesses } from '../../server/daemon/ownProcesses.ts';
import type { Command } from '../command.ts';
import { findRunning } from '../sharedClient.ts';

export const status: Command = {
  name: 'status',
  summary: 'the running process: projects, clients, work, memory',
  usage: 'sightline status [--json]\n\nExit code 1 when no process runs.',
  run: async (words, context) => {
    const json = words.includes('--json');
    const control = await findRunning(context).catch((error: unknown) => errorMessage(error));
    if (typeof control === 'string' || control === undefined) {
      const hanging = sharedProcesses(appDirs(context.env).runtime).map(({ pid }) => pid);
      if (hanging.length > 0) {
        const why = control ?? 'It does not listen any more.';
        context.out(json ? JSON.stringify({ hanging }) : `Sightline hangs: process ${hanging.join(', ')}. ${why}`);
        context.err('sightline stop ends it.');
        return 1;
      }
      context.out(json ? 'null' : 'Sightline is not running. An agent starts it when needed; so does: sightline');
      return 1;
    }
    try {
      const found = await control.request('status', {});
      context.out(json ? JSON.stringify(found, null, 2) : render(found));
      return 0;
    } finally {
      control.dispose();
    }
  },
};

function render(status: ProcessStatus): string {
  const none = '  none';
  return [
    `Sightline ${status.version} (process ${status.pid}, since ${status.startedAt}, ${status.rssMb} MB)`,
    ...(status.url === undefined ? [] : [`HTTP: ${status.url}`]),
    'Projects:',
    ...(status.projects.length === 0 ? [none] : []),
    ...status.projects.map(({ path, trusted }) => `  ${path}${trusted ? '' : ' (not trusted)'}`),
    'Clients:',
    ...(status.clients.length === 0 ? [none] : []),
    ...status.clients.flatMap(({ name, transport, face, cwd, quirks = [] }) => [
      `  ${name} (${transport}, face ${face}${cwd === undefined ? '' : `, in ${cwd}`})`,
      ...quirks.map((quirk) => `    ${quirk}`),
    ]),
    ...(status.work.length === 0 ? [] : ['Running:', ...status.work.map((item) => `  ${item}`)]),
    ...(status.approvalsPending === 0
      ? []
      : [`${status.approvalsPending} calls wait for approval: sightline approve --list`]),
    ...(status.leavesInSeconds === undefined ? [] : [`Nobody uses it; it leaves in ${status.leavesInSeconds} s.`]),
  ].join('\n');
}
