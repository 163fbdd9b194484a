import { parseArgs } from 'node:util';
import { ToolError } from '../../base/errors.ts';
import { askPerson } from '../askPerson.ts';
import { UsageError, type Command } from '../command.ts';
import { mustBeRunning } from '../sharedClient.ts';
import { ticketText } from '../ticketText.ts';

export const approve: Command = {
  name: 'approve',
  summary: 'answer calls that wait for a person',
  usage: `sightline approve --list
sightline approve TICKET [--full]
sightline approve TICKET --yes | --deny

Shows what the ticket is for and asks. A ticket is good for exactly the call it shows.

  --full   all of it, where it is long
  --yes    approve without being asked, for scripts
  --deny   refuse`,
  run: async (words, context) => {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        deny: { type: 'boolean', default: false },
      },
    });
    const [ticketId] = positionals;
    if (values.yes && values.deny) throw new UsageError('--yes or --deny?');
    if (ticketId === undefined && (values.yes || values.deny)) throw new UsageError('which ticket?');
    const control = await mustBeRunning(context);
    try {
      const tickets = await control.request('approvals', {});
      const show = (ticket: (typeof tickets)[number]): void => context.out(ticketText(ticket, { whole: values.full }));
      if (ticketId === undefined || values.list) {
        if (tickets.length === 0) context.out('No call waits for approval.');
        tickets.forEach(show);
        return 0;
      }
      const ticket = tickets.find(({ id }) => id === ticketId);
      if (ticket === undefined)
        throw new ToolError('invalid_arguments', `There is no approval ticket ${ticketId}.`, {
          hint: 'sightline approve --list shows those that wait.',
        });
      show(ticket);
      const decision = values.yes ? 'yes' : values.deny ? 'no' : await askPerson('Approve exactly this? [y/N] ');
      const isYes = /^y(es)?$/.test(decision ?? '');
      if (!isYes && !/^no?$/.test(decision ?? '')) {
        const why = decision === undefined ? ': there is no terminal to ask at' : '';
        context.err(
          `Nothing was decided${why}. It still waits; sightline approve ${ticketId} --yes approves it, --deny refuses it.`,
        );
        return 1;
      }
      const { state } = await control.request('decide', { ticketId, approved: isYes });
      context.out(`${ticketId} ${state}.`);
      return 0;
    } finally {
      control.dispose();
    }
  },
};
