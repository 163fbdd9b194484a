import { z } from 'zod';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { applyStash, dropStash, listStashes, pushStash } from '../../engine/workspace/git/stashes.ts';
import { originOf } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import {
  changedFiles,
  changedLines,
  changedShape,
  fileList,
  pathsParameter,
  recoveryLines,
  recoveryShape,
  short,
  withRecovery,
} from './shapes.ts';

const actions = ['list', 'push', 'pop', 'apply', 'drop'] as const;

export const gitStash = defineTool({
  name: 'git_stash',
  title: 'Git stash',
  description: 'Puts changes aside and back; `stash`: number or commit, default the latest.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'execute',
  effectOf: ({ action }) => (action === 'list' ? 'read' : action === 'drop' ? 'destructive' : 'execute'),
  paths: { paths: 'entry' },
  input: z.object({
    action: z.enum(actions).default('list'),
    stash: z.string().optional(),
    message: z.string().optional(),
    paths: pathsParameter,
    include_untracked: z.boolean().optional(),
  }),
  output: z.object({
    done: z.enum(actions),
    stashes: z
      .array(z.object({ index: z.int(), commit: z.string(), date: z.string(), message: z.string() }))
      .optional(),
    commit: z.string().optional(),
    message: z.string().optional(),
    kept: z.boolean().optional(),
    index: z.boolean().optional(),
    conflicts: z.array(z.string()).optional(),
    ...changedShape,
    recovery: recoveryShape,
  }),
  run: async (engines, args, call) => {
    const { signal } = call;
    const { action, stash } = args;
    const repository = await repositoryOf(call.project, { signal, bare: action === 'list' });
    if (action === 'list') {
      const stashes = await listStashes(repository, signal);
      return { done: action, stashes: stashes.map((one) => ({ ...one, commit: short(one.commit) })) };
    }
    if (action === 'drop') return { done: action, ...withRecovery(await dropStash(repository, { stash, signal })) };
    const origin = originOf(call, 'git_stash', `stash ${action}`);
    if (action === 'push') {
      const request = { message: args.message, paths: args.paths, untracked: args.include_untracked, signal };
      const pushed = await pushStash(repository, request, engines.workingTree, origin);
      const { commit, message } = pushed.stash;
      return { done: action, commit, message, kept: true, ...changedFiles(call, pushed) };
    }
    const request = { stash, drop: action === 'pop', signal };
    const { change, problem, ...applied } = await applyStash(repository, request, engines.workingTree, origin);
    const { conflicts, ...facts } = applied;
    return {
      done: action,
      ...withRecovery(facts),
      ...(conflicts.length === 0 ? {} : { conflicts }),
      ...changedFiles(call, { change, problem }),
    };
  },
  render: (data) => {
    if (data.done === 'list') {
      const lines = (data.stashes ?? []).map(
        (one) => `${one.index} ${one.commit} ${one.date.slice(0, 10)} ${one.message}`,
      );
      return lines.length === 0 ? 'No stashes.' : lines.join('\n');
    }
    const what = `${short(data.commit ?? '')}${data.message === undefined ? '' : ` (${data.message})`}`;
    const verbs = { push: 'Put aside as', pop: 'Brought back', apply: 'Applied', drop: 'Dropped' };
    const conflicts = data.conflicts ?? [];
    return [
      conflicts.length === 0 ? `${verbs[data.done]} ${what}.` : `Applied ${what} with conflicts; the stash is kept.`,
      ...(conflicts.length === 0 ? [] : [`conflicts ${conflicts.length}: ${fileList(conflicts)}`]),
      ...(data.index === false && conflicts.length === 0
        ? ['What was staged is unstaged now: the index has changed since.']
        : []),
      ...changedLines(data),
      // What was brought back is there; only what was dropped is missed.
      ...(data.done === 'drop' ? recoveryLines(data.recovery) : []),
    ].join('\n');
  },
});
