import { parseArgs } from 'node:util';
import { historyStatuses } from '../../server/history.ts';
import { UsageError, type Command } from '../command.ts';
import { joinShared } from '../sharedClient.ts';

export const history: Command = {
  name: 'history',
  summary: 'the calls made in this project',
  usage: 'sightline history [--tool NAME] [--status pending|success|error] [--text WORDS] [--limit N] [--json]',
  run: async (words, context) => {
    const { values } = parseArgs({
      args: words,
      options: {
        tool: { type: 'string' },
        status: { type: 'string' },
        text: { type: 'string' },
        limit: { type: 'string', default: '20' },
        json: { type: 'boolean', default: false },
      },
    });
    const { tool, text } = values;
    const limit = Number(values.limit);
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit is a number from 1.');
    const status = historyStatuses.find((known) => known === values.status);
    if (values.status !== undefined && status === undefined)
      throw new UsageError(`--status is one of ${historyStatuses.join(', ')}.`);
    const control = await joinShared(context);
    try {
      const entries = await control.request('history', { tool, status, text, limit });
      if (values.json) context.out(JSON.stringify(entries, null, 2));
      else if (entries.length === 0) context.out('No calls yet.');
      else
        for (const entry of entries)
          context.out(
            `${entry.timestamp}  ${entry.status.padEnd(7)}  ${entry.toolName}  ${JSON.stringify(entry.parameters).slice(0, 120)}`,
          );
      return 0;
    } finally {
      control.dispose();
    }
  },
};
