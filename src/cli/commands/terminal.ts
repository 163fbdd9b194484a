import { ToolError } from '../../base/errors.ts';
import { runTokenVariable } from '../../base/processes.ts';
import { escapeInvisible } from '../../base/text/textBudget.ts';
import type { ControlClient } from '../../server/daemon/controlClient.ts';
import type { Command } from '../command.ts';
import { mustBeRunning } from '../sharedClient.ts';

/** Ctrl-] */
const leave = 0x1d;

export const terminal: Command = {
  name: 'terminal',
  summary: 'join a terminal that an agent opened, for example to type a password',
  usage: `sightline terminal            the terminals there are
sightline terminal ID         join one; Ctrl-] leaves it

What is typed goes to the program only: no history, log or answer contains it.`,
  run: async ([id], context) => {
    const control = await mustBeRunning(context);
    try {
      if (id === undefined) {
        const all = await control.request('terminals', {});
        const lines = all.map(
          ({ id: each, name, state, owner, project, command }) =>
            `${each}  ${state}  ${name} in ${project}, opened by ${owner}${command === undefined ? '' : `: ${command}`}`,
        );
        context.out(lines.length === 0 ? 'There are no terminals.' : escapeInvisible(lines.join('\n')));
        return 0;
      }
      const { stdin, stdout } = process;
      if (!stdin.isTTY || !stdout.isTTY || context.env[runTokenVariable] !== undefined)
        throw new ToolError('unsupported', 'A person joins a terminal, from a terminal of their own.');
      context.err(`Joined ${id}; Ctrl-] leaves it.\r`);
      await join(control, id, stdin, stdout);
      context.err('\r\nLeft the terminal; it goes on.');
      return 0;
    } finally {
      control.dispose();
    }
  },
};

/** Both ways at once, until the person leaves or the shell has ended. */
async function join(
  control: ControlClient,
  id: string,
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  let isLeaving = false;
  const resize = () => void control.request('terminalWrite', { id, columns: stdout.columns, rows: stdout.rows });
  stdin.setRawMode(true);
  stdin.on('data', (keys: Buffer) => {
    if (keys.includes(leave)) isLeaving = true;
    else void control.request('terminalWrite', { id, text: keys.toString('utf8') });
  });
  stdout.on('resize', resize);
  resize();
  try {
    let from = 0;
    for (let hasEnded = false; !hasEnded && !isLeaving;) {
      const { data, next, ended } = await control.request('terminalRead', { id, from });
      stdout.write(Buffer.from(data, 'base64'));
      from = next;
      hasEnded = ended;
    }
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}
