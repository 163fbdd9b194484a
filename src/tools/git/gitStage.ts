import { z } from 'zod';
import { advise, step } from '../../base/text/advice.ts';
import { ToolError } from '../../base/errors.ts';
import { stageChanges } from '../../engine/workspace/git/changeStaging.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { stage } from '../../engine/workspace/git/staging.ts';
import type { ChangeRecord } from '../../engine/workspace/localHistory/changeLog.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { indexAnswer, indexShape, renderIndex, stagedPart, stagingShape } from './indexShape.ts';

export const gitStage = defineTool({
  name: 'git_stage',
  title: 'Git stage',
  description: 'Stages paths (["."]: all), hunks by id, lines, or exactly what a change or call changed.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'execute',
  paths: { paths: 'entry', file_path: 'entry' },
  input: z.object({
    ...stagingShape,
    change_id: z.string().optional(),
    call_id: z.string().optional(),
  }),
  output: z.object(indexShape),
  run: async (engines, args, call) => {
    const { signal } = call;
    const repository = await repositoryOf(call.project, { signal });
    if (args.change_id === undefined && args.call_id === undefined)
      return indexAnswer(await stage(repository, { ...stagedPart(args), signal }));
    if (args.paths !== undefined || args.hunks !== undefined || args.file_path !== undefined)
      throw new ToolError('invalid_arguments', 'A change is staged whole: leave paths, hunks and lines out.');
    const changes = await changesOf(engines, call, args.change_id, args.call_id);
    return indexAnswer(await stageChanges(repository, engines.localHistory, changes, signal));
  },
  render: renderIndex,
});

async function changesOf(
  { localHistory, workingTree }: Engines,
  call: ToolCall,
  changeId: string | undefined,
  callId: string | undefined,
): Promise<ChangeRecord[]> {
  await workingTree.settled(call.project);
  const changes = [
    ...(changeId === undefined ? [] : [await localHistory.get(call.project, changeId)]),
    ...(callId === undefined ? [] : await localHistory.list(call.project, { callId })),
  ];
  if (changes.some(({ transitions }) => transitions.length > 0)) return changes;
  throw new ToolError('history_not_found', `The call ${callId ?? ''} changed no files that are recorded.`, {
    hint: advise`${step('listChanges')} shows what there is.`,
  });
}
