import { z } from 'zod';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { gitStatus, type GitChanges } from '../../engine/workspace/git/status.ts';
import { defineTool } from '../defineTool.ts';
import { fileList, fileName, short } from './shapes.ts';

const names = z.array(z.string()).optional();
const pairs = z.array(z.object({ from: z.string(), to: z.string() })).optional();
const changes = z.object({
  modified: names,
  added: names,
  deleted: names,
  renamed: pairs,
  copied: pairs,
  retyped: names,
});

export const gitStatusTool = defineTool({
  name: 'git_status',
  title: 'Git status',
  description:
    'Branch, upstream, staged, changed, untracked and conflicting files, stashes, a merge or rebase in progress.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    branch: z.string().optional(),
    head: z.string().optional(),
    upstream: z.string().optional(),
    ahead: z.int().optional(),
    behind: z.int().optional(),
    operation: z
      .object({
        kind: z.enum(['merge', 'rebase', 'am', 'cherry-pick', 'revert', 'bisect']),
        branch: z.string().optional(),
        onto: z.string().optional(),
        step: z.int().optional(),
        steps: z.int().optional(),
        commit: z.string().optional(),
      })
      .optional(),
    stashes: z.int(),
    staged: changes,
    unstaged: changes,
    untracked: z.array(z.string()),
    conflicts: z.array(z.object({ file: z.string(), kind: z.string() })),
    counts: z.object({ staged: z.int(), unstaged: z.int(), untracked: z.int(), conflicts: z.int() }),
  }),
  run: async (_engines, _args, call) => gitStatus(await repositoryOf(call.project, call), call.signal),
  render: (data) => {
    const { counts, operation } = data;
    const head = data.head === undefined ? 'no commit yet' : short(data.head);
    const distance =
      data.upstream === undefined
        ? ''
        : data.ahead === undefined
          ? `, ${data.upstream} is gone`
          : `, ${data.ahead} ahead and ${data.behind ?? 0} behind ${data.upstream}`;
    const lines = [`${data.branch ?? 'detached'} at ${head}${distance}`];
    if (operation !== undefined) lines.push(operationText(operation));
    if (counts.conflicts > 0)
      lines.push(
        `conflicts ${counts.conflicts}: ${data.conflicts.map(({ file, kind }) => `${fileName(file)} (${kind})`).join(', ')}`,
      );
    lines.push(...changeLines('staged', data.staged), ...changeLines('unstaged', data.unstaged));
    if (counts.untracked > 0)
      lines.push(`untracked ${counts.untracked}: ${fileList(data.untracked, counts.untracked)}`);
    if (counts.staged + counts.unstaged + counts.untracked + counts.conflicts === 0) lines.push('clean');
    if (data.stashes > 0) lines.push(`stashes: ${data.stashes}`);
    return lines.join('\n');
  },
});

function changeLines(where: string, all: GitChanges): string[] {
  return Object.entries(all).flatMap(
    ([change, files]: [string, (string | { from: string; to: string })[] | undefined]) => {
      if (files === undefined || files.length === 0) return [];
      const plain = files.filter((file) => typeof file === 'string');
      const moved = files.flatMap((file) =>
        typeof file === 'string' ? [] : [`${fileName(file.from)} → ${fileName(file.to)}`],
      );
      return [
        `${where}, ${change} ${files.length}: ${[...moved, ...(plain.length > 0 ? [fileList(plain)] : [])].join(', ')}`,
      ];
    },
  );
}

function operationText(operation: {
  kind: string;
  branch?: string;
  onto?: string;
  step?: number;
  steps?: number;
  commit?: string;
}): string {
  const { kind, branch, onto, step, steps, commit } = operation;
  const facts = [
    ...(branch === undefined ? [] : [`of ${branch}`]),
    ...(onto === undefined ? [] : [`onto ${short(onto)}`]),
    ...(commit === undefined ? [] : [`of ${short(commit)}`]),
    ...(step === undefined || steps === undefined ? [] : [`step ${step} of ${steps}`]),
  ].join(' ');
  const ways = kind === 'bisect' ? 'git bisect good | bad | reset' : `git ${kind} --continue | --abort`;
  return `in progress: ${kind} ${facts} (${ways})`;
}
