import { z } from 'zod';
import { displayPath } from '../../base/paths.ts';
import { counted } from '../../base/text/counted.ts';
import { gitDiff } from '../../engine/workspace/git/diff.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { gitStatus } from '../../engine/workspace/git/status.ts';
import { defineTool } from '../defineTool.ts';
import { diffAnswer, diffLines, diffShape } from './diffShape.ts';
import { fileList, pathsParameter } from './shapes.ts';

export const gitDiffTool = defineTool({
  name: 'git_diff',
  title: 'Git diff',
  description: 'Unstaged changes; or staged; or a range. Hunk ids serve git_stage.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'read',
  maxChars: 12_000,
  paths: { paths: 'entry' },
  input: z.object({
    staged: z.boolean().optional(),
    range: z.string().optional().describe('a (with the working tree), a..b, a...b'),
    paths: pathsParameter,
    stat: z.boolean().optional().describe('counts only'),
    word: z.boolean().optional(),
  }),
  output: z.object(diffShape),
  run: async (_engines, args, call) => {
    const { staged, range, paths, word: words, stat } = args;
    const { signal } = call;
    const repository = await repositoryOf(call.project, { signal, bare: range?.includes('..') });
    const { files } = await gitDiff(repository, { staged, range, paths, words, signal });
    const form = { maxChars: call.budget.maxChars, stat, words, ids: range === undefined && words !== true };
    const answer = diffAnswer(files, form);
    // Whoever finds nothing looks in the wrong place, as a rule.
    if (files.length > 0 || range !== undefined) return answer;
    const { counts, untracked } = await gitStatus(repository, signal);
    const names = (paths ?? []).map((path) => displayPath(call.project.root, path));
    const fresh = names.filter((name) =>
      untracked.some((one) => one === name || (one.endsWith('/') && name.startsWith(one))),
    );
    call.note(
      fresh.length > 0
        ? `Untracked, so git has nothing to compare with: ${fileList(fresh)}`
        : `There are ${counts.staged} staged, ${counts.unstaged} unstaged and ${counts.untracked} untracked files`,
    );
    return answer;
  },
  render: (data) => {
    if (data.files.length === 0) return 'No difference.';
    const total = data.total === undefined ? '' : `, +${data.total.additions} -${data.total.deletions}`;
    return [`${counted(data.files.length, 'file')}${total}`, ...diffLines(data)].join('\n');
  },
});
