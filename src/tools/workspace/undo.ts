import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { describeRest } from '../../engine/workspace/localHistory/listChanges.ts';
import { undoChanges } from '../../engine/workspace/localHistory/undo.ts';
import type { ChangeRecord } from '../../engine/workspace/localHistory/changeLog.ts';
import { changeFields, originOf, renderRest, timeOf } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';

export const undo = defineTool({
  name: 'undo',
  title: 'Undo',
  description: 'Takes back changes: one, of a call, client or since a time (ISO); default: your latest.',
  faces: ['default', 'workspace', 'index'],
  toolset: 'editing',
  effect: 'edit',
  input: z.object({
    history_id: z.string().optional(),
    call_id: z.string().optional(),
    client: z.string().optional(),
    since: z.string().optional(),
  }),
  output: z.object({
    undone: z.array(z.object({ historyId: z.string(), tool: z.string(), time: z.string(), summary: z.string() })),
    ...changeFields,
    notes: z.array(z.string()).optional(),
  }),
  run: async (engines, args, call) => {
    if (args.history_id !== undefined && (args.call_id ?? args.client ?? args.since) !== undefined)
      throw new ToolError(
        'invalid_arguments',
        'history_id names one change; call_id, client and since choose several.',
        {
          hint: 'Pass one or the other.',
        },
      );
    await engines.workingTree.settled(call.project);
    const { applied, undone } = await undoChanges(
      engines.edits,
      engines.localHistory,
      call.project,
      {
        historyId: args.history_id,
        callId: args.call_id,
        client: args.client,
        since: timeOf(args.since),
      },
      originOf(call, 'undo'),
    );
    call.affects(...applied.plan.transitions.map((one) => one.path));
    return {
      undone: undone.map((change) => ({
        historyId: change.id,
        tool: change.origin.tool,
        time: change.time,
        summary: change.origin.summary ?? change.origin.tool,
      })),
      historyId: applied.historyId,
      ...reportChange(call.project.root, applied.plan),
      notes: notesOf(undone),
    };
  },
  // What was taken back is known to whoever asked for it: the files say enough, the difference is in the data.
  deed: (_args, data) =>
    `took back ${data.undone.map(({ summary }) => summary).join(', ')} (${data.affectedFiles.join(', ')} changed)`,
  render: (data) => {
    const files = data.affectedFiles.slice(0, maxNamedFiles).join(', ');
    const more = data.affectedFiles.length - maxNamedFiles;
    const what = data.undone.map((one) => `${one.summary} (${one.historyId})`).join(', ');
    const state =
      files === ''
        ? 'Its files were as before already'
        : `As before: ${files}${more > 0 ? ` and ${more} more files` : ''}`;
    return [
      `Took back ${what}. ${state}.`,
      // Without an id, undo goes on to the change before.
      ...(data.historyId === undefined
        ? []
        : [`history: ${data.historyId} (undo with this history_id brings it again)`]),
      ...(data.notes ?? []),
    ].join('\n');
  },
});

/** What a program had changed besides, and is not as before. */
function notesOf(undone: readonly ChangeRecord[]): string[] | undefined {
  const notes = undone.flatMap((change) => renderRest(describeRest(change)));
  return notes.length === 0 ? undefined : notes;
}

const maxNamedFiles = 20;
