import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import { commitPatiently } from '../../engine/workspace/git/slowCommits.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { originOf } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import {
  changedFiles,
  changedLines,
  changedShape,
  fileList,
  recoveryLines,
  recoveryShape,
  short,
  withRecovery,
} from './shapes.ts';

export const gitCommit = defineTool({
  name: 'git_commit',
  title: 'Git commit',
  description: 'Commits what is staged, with hooks; refuses conflict markers and what looks secret.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'execute',
  input: z.object({
    message: z.string().optional(),
    amend: z.boolean().optional(),
    allow_secrets: z.boolean().optional(),
    allow_conflict_markers: z.boolean().optional(),
  }),
  output: z.object({
    commit: z.string(),
    branch: z.string().optional(),
    subject: z.string(),
    author: z.string(),
    files: z.int(),
    total: z.object({ additions: z.int(), deletions: z.int() }),
    hooks: z.array(z.string()).optional(),
    output: z.string().optional(),
    left: z.object({ staged: z.int(), unstaged: z.int(), untracked: z.int(), conflicts: z.int() }),
    ...changedShape,
    recovery: recoveryShape,
  }),
  run: async (engines, args, call) => {
    const { signal } = call;
    const repository = await repositoryOf(call.project, { signal });
    const request = {
      message: args.message,
      amend: args.amend,
      allowSecrets: args.allow_secrets,
      allowConflictMarkers: args.allow_conflict_markers,
      patienceMs: call.patienceMs,
      signal,
    };
    const origin = originOf(call, 'git_commit', 'hooks of a commit');
    const { change, problem, unchecked, ...made } = await commitPatiently(
      repository,
      request,
      engines.workingTree,
      origin,
    );
    if (unchecked !== undefined)
      call.note(`Too large to be looked through for secrets: ${fileList(unchecked.slice(0, 10), unchecked.length)}`);
    return { ...withRecovery(made), ...changedFiles(call, { change, problem }) };
  },
  render: (data) => {
    const { left } = data;
    const counts = [`${left.staged} staged`, `${left.unstaged} changed`, `${left.untracked} untracked`];
    const rest = counts.every((count) => count.startsWith('0 ')) ? '' : `; left: ${counts.join(', ')}`;
    const hooks = data.hooks === undefined ? [] : [`hooks: ${data.hooks.join(', ')}`];
    return [
      `${short(data.commit)} on ${data.branch ?? 'detached HEAD'}: ${data.subject} (${counted(data.files, 'file')}, +${data.total.additions} -${data.total.deletions}, ${data.author})${rest}`,
      ...hooks,
      ...(data.output === undefined ? [] : [data.output]),
      ...changedLines(data),
      ...recoveryLines(data.recovery),
    ].join('\n');
  },
});
