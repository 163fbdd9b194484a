import { parseArgs } from 'node:util';
import { historyStatuses, type HistoryEntry, type HistoryFilter } from '../../server/history.ts';
import { UsageError, type Command } from '../command.ts';
import { joinShared } from '../sharedClient.ts';

export const history: Command = {
  name: 'history',
  summary: 'the calls made in this project',
  usage: `sightline history [--tool NAME] [--status pending|success|error] [--text WORDS] [--limit N] [--json | --csv]
sightline history --clear

Newest first, 20 unless --limit says otherwise; --json and --csv give all that match, with parameters and results.`,
  run: async (words, context) => {
    const { values } = parseArgs({
      args: words,
      options: {
        tool: { type: 'string' },
        status: { type: 'string' },
        text: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean', default: false },
        csv: { type: 'boolean', default: false },
        clear: { type: 'boolean', default: false },
      },
    });
    const format = values.csv ? 'csv' : values.json ? 'json' : undefined;
    const filter = readFilter(values, format === undefined ? 20 : undefined);
    const control = await joinShared(context);
    try {
      if (values.clear) {
        const { cleared } = await control.request('clearHistory', {});
        context.out(`${cleared} calls are forgotten.`);
      } else if (format === undefined) {
        const entries = await control.request('history', filter);
        context.out(entries.length === 0 ? 'No calls that match.' : entries.map(line).join('\n'));
      } else {
        const { text } = await control.request('exportHistory', { ...filter, format });
        context.out(text.trimEnd());
      }
      return 0;
    } finally {
      control.dispose();
    }
  },
};

function readFilter(
  values: { tool?: string; status?: string; text?: string; limit?: string },
  usualLimit: number | undefined,
): HistoryFilter {
  const limit = values.limit === undefined ? usualLimit : Number(values.limit);
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new UsageError('--limit is a number from 1.');
  const status = historyStatuses.find((known) => known === values.status);
  if (values.status !== undefined && status === undefined)
    throw new UsageError(`--status is one of ${historyStatuses.join(', ')}.`);
  return { toolName: values.tool, status, text: values.text, limit };
}

function line(entry: HistoryEntry): string {
  const took = entry.durationMs === undefined ? '' : `${Math.round(entry.durationMs)} ms`;
  const parameters = JSON.stringify(entry.parameters).slice(0, 120);
  const failure = entry.error === undefined ? '' : `  ${entry.error.split('\n')[0]?.slice(0, 100) ?? ''}`;
  return `${entry.timestamp}  ${entry.status.padEnd(7)}  ${took.padStart(8)}  ${entry.toolName}  ${parameters}${failure}`;
}
