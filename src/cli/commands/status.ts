import type { ProcessStatus } from '../../server/daemon/controlProtocol.ts';
import type { Command } from '../command.ts';
import { findRunning } from '../sharedClient.ts';

export const status: Command = {
  name: 'status',
  summary: 'the running process: projects, clients, work, memory',
  usage: 'sightline status [--json]\n\nExit code 1 when no process runs.',
  run: async (words, context) => {
    const json = words.includes('--json');
    const control = await findRunning(context);
    if (control === undefined) {
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
    ...status.clients.map(
      ({ name, transport, face, cwd }) =>
        `  ${name} (${transport}, face ${face}${cwd === undefined ? '' : `, in ${cwd}`})`,
    ),
    ...(status.work.length === 0 ? [] : ['Running:', ...status.work.map((item) => `  ${item}`)]),
    ...(status.approvalsPending === 0
      ? []
      : [`${status.approvalsPending} calls wait for approval: sightline approve --list`]),
    ...(status.leavesInSeconds === undefined ? [] : [`Nobody uses it; it leaves in ${status.leavesInSeconds} s.`]),
  ].join('\n');
}
