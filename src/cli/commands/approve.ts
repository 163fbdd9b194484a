import { parseArgs } from 'node:util';
import type { TicketSummary } from '../../server/daemon/controlProtocol.ts';
import { escapeInvisible } from '../../base/text/textBudget.ts';
import { UsageError, type Command } from '../command.ts';
import { mustBeRunning } from '../sharedClient.ts';

export const approve: Command = {
  name: 'approve',
  summary: 'answer calls that wait for a person',
  usage: `sightline approve --list
sightline approve TICKET [--deny]

A ticket is good for exactly the call it shows.`,
  run: async (words, context) => {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: { list: { type: 'boolean', default: false }, deny: { type: 'boolean', default: false } },
    });
    const [ticketId] = positionals;
    if (ticketId === undefined && values.deny) throw new UsageError('which ticket?');
    const control = await mustBeRunning(context);
    try {
      if (ticketId === undefined || values.list) {
        const tickets = await control.request('approvals', {});
        context.out(tickets.length === 0 ? 'No call waits for approval.' : tickets.map(render).join('\n'));
        return 0;
      }
      const ticket = await control.request('decide', { ticketId, approved: !values.deny });
      context.out(`${ticket.state}: ${render(ticket)}`);
      return 0;
    } finally {
      control.dispose();
    }
  },
};

/** All of it, because this is what the person agrees to; nothing in it can move the cursor or turn the text round. */
function render({ id, tool, effect, client, project, args, shown, state }: TicketSummary): string {
  const where = project === undefined ? '' : ` in ${project}`;
  const what = shown === undefined ? ` with ${JSON.stringify(args)}` : `. It changes ${shown}`;
  return escapeInvisible(`${id}  ${state}  ${client} calls ${tool} (${effect})${where}${what}`);
}
