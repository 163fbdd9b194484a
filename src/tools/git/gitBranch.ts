import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { createBranch, deleteBranch, listBranches, switchBranch } from '../../engine/workspace/git/branches.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { originOf } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import {
  changedFiles,
  changedLines,
  changedShape,
  recoveryLines,
  recoveryShape,
  short,
  withRecovery,
} from './shapes.ts';

const maxListed = 50;

export const gitBranch = defineTool({
  name: 'git_branch',
  title: 'Git branch',
  description: 'Branches. `switch` with `start` creates; `force` discards changes or unmerged commits.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'execute',
  effectOf: ({ action, force }) => {
    if (action === 'list') return 'read';
    return action === 'delete' || (action === 'switch' && force === true) ? 'destructive' : 'execute';
  },
  input: z.object({
    action: z.enum(['list', 'create', 'switch', 'delete']).default('list'),
    name: z.string().optional(),
    start: z.string().optional(),
    force: z.boolean().optional(),
    remote: z.boolean().optional(),
  }),
  output: z.object({
    done: z.enum(['list', 'create', 'switch', 'delete']),
    current: z.string().optional(),
    branches: z
      .array(
        z.object({
          name: z.string(),
          commit: z.string(),
          date: z.string(),
          subject: z.string(),
          current: z.boolean().optional(),
          upstream: z.string().optional(),
          track: z.string().optional(),
          worktree: z.string().optional(),
        }),
      )
      .optional(),
    name: z.string().optional(),
    commit: z.string().optional(),
    from: z.string().optional(),
    ...changedShape,
    recovery: recoveryShape,
  }),
  run: async (engines, args, call) => {
    const { signal } = call;
    const { action, start, force } = args;
    const repository = await repositoryOf(call.project, { signal, bare: action !== 'switch' });
    if (action === 'list') {
      const listed = await listBranches(repository, { remote: args.remote, limit: maxListed, signal });
      const branches = listed.branches.map((one) => ({ ...one, commit: short(one.commit) }));
      if (listed.hasMore) call.note(`Only the latest ${maxListed} branches`);
      return { done: action, current: listed.current, branches };
    }
    const { name } = args;
    if (name === undefined) throw new ToolError('invalid_arguments', `To ${action} a branch, pass its name.`);
    if (action === 'create') return { done: action, ...(await createBranch(repository, { name, start, signal })) };
    if (action === 'delete')
      return { done: action, ...withRecovery(await deleteBranch(repository, { name, force, signal })) };
    const origin = originOf(call, 'git_branch', `switch to ${name}`);
    const request = { name, start, force, signal };
    const { change, problem, branch, ...switched } = await switchBranch(
      repository,
      request,
      engines.workingTree,
      origin,
    );
    return { done: action, name: branch, ...withRecovery(switched), ...changedFiles(call, { change, problem }) };
  },
  render: (data) => {
    if (data.done === 'list') {
      const lines = (data.branches ?? []).map((one) => {
        const track =
          one.upstream === undefined ? '' : ` [${one.upstream}${one.track === undefined ? '' : `: ${one.track}`}]`;
        const place = one.worktree === undefined ? '' : ` (in ${one.worktree})`;
        return `${one.current === true ? '*' : ' '} ${one.name} ${one.commit} ${one.date} ${one.subject}${track}${place}`;
      });
      const current = data.current === undefined ? ['HEAD is detached'] : [];
      const none = lines.length === 0 ? [`no commit yet on ${data.current ?? 'HEAD'}`] : [];
      return [...current, ...none, ...lines].join('\n');
    }
    const commit = short(data.commit ?? '');
    const head =
      data.done === 'create'
        ? `Created ${data.name ?? ''} at ${commit}; not switched to.`
        : data.done === 'delete'
          ? `Deleted ${data.name ?? ''} (was ${commit}).`
          : `Switched to ${data.name ?? 'a detached HEAD'} at ${commit}${data.from === undefined ? '' : `, from ${data.from}`}.`;
    return [head, ...changedLines(data), ...recoveryLines(data.recovery)].join('\n');
  },
});
