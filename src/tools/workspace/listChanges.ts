import { z } from 'zod';
import { listChanges } from '../../engine/workspace/localHistory/listChanges.ts';
import { renderRest, restShape, timeOf } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'List changes',
  description:
    'Local history, latest first: what was changed through Sightline, by which call, and whether it was undone.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'read',
  paths: { file_path: 'new' },
  input: z.object({
    file_path: z.string().optional(),
    call_id: z.string().optional(),
    client: z.string().optional(),
    since: z.string().optional(),
    limit: z.int().min(1).max(200).default(20),
  }),
  output: z.object({
    changes: z.array(
      z.object({
        historyId: z.string(),
        time: z.string(),
        tool: z.string(),
        summary: z.string(),
        callId: z.string().optional(),
        client: z.string().optional(),
        clientName: z.string().optional(),
        files: z.array(z.string()),
        filesCount: z.number(),
        observed: z.boolean().optional(),
        ...restShape,
        undone: z.boolean().optional(),
        undoOf: z.array(z.string()).optional(),
      }),
    ),
    total: z.number(),
  }),
  run: async (engines, args, call) => {
    await engines.workingTree.settled(call.project);
    return listChanges(
      engines.localHistory,
      call.project,
      {
        path: args.file_path,
        callId: args.call_id,
        client: args.client,
        since: timeOf(args.since),
      },
      args.limit,
    );
  },
  render: (data) => {
    if (data.changes.length === 0) return 'No changes.';
    // Whose a change is need not be said where all are of one client.
    const isOfSeveral = new Set(data.changes.map(({ client }) => client)).size > 1;
    return [
      ...data.changes.flatMap((change) => [
        `${change.historyId}  ${change.time.slice(0, 19)}Z  ${change.summary}${marks(change)}${isOfSeveral ? ` by ${change.clientName ?? ''} (${change.client ?? 'unknown'})` : ''}${filesText(change)}`,
        ...renderRest(change).map((line) => `  ${line}`),
      ]),
      ...(data.total > data.changes.length ? [`${data.total - data.changes.length} older`] : []),
    ].join('\n');
  },
});

function marks({ undone, observed }: { undone?: boolean; observed?: boolean }): string {
  return `${undone ? ' [undone]' : ''}${observed ? ' [by a program]' : ''}`;
}

function filesText({ summary, files, filesCount }: { summary: string; files: string[]; filesCount: number }): string {
  const [only] = files;
  if (only === undefined || (filesCount === 1 && summary.endsWith(` ${only}`))) return '';
  return `: ${files.join(', ')}${filesCount > files.length ? ` +${filesCount - files.length}` : ''}`;
}
