import { z } from 'zod';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { unstage } from '../../engine/workspace/git/staging.ts';
import { defineTool } from '../defineTool.ts';
import { indexAnswer, indexShape, renderIndex, stagedPart, stagingShape } from './indexShape.ts';

export const gitUnstage = defineTool({
  name: 'git_unstage',
  title: 'Git unstage',
  description: 'Takes paths, hunks or lines out of the index; files stay as they are.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'execute',
  paths: { paths: 'entry', file_path: 'entry' },
  input: z.object(stagingShape),
  output: z.object(indexShape),
  run: async (_engines, args, call) => {
    const { signal } = call;
    return indexAnswer(await unstage(await repositoryOf(call.project, { signal }), { ...stagedPart(args), signal }));
  },
  render: renderIndex,
});
