import { z } from 'zod';
import { gitLog } from '../../engine/workspace/git/log.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { defineTool } from '../defineTool.ts';
import { pathsParameter, short } from './shapes.ts';

export const gitLogTool = defineTool({
  name: 'git_log',
  title: 'Git log',
  description: 'Commits, latest first. `search`: those that add or remove a text.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'read',
  paths: { paths: 'entry' },
  input: z.object({
    range: z.string().optional(),
    paths: pathsParameter,
    follow: z.boolean().optional(),
    author: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    grep: z.string().optional(),
    search: z.string().optional(),
    regex: z.boolean().optional(),
    graph: z.boolean().optional(),
    limit: z.int().min(1).max(200).default(20),
  }),
  output: z.object({
    commits: z.array(
      z.object({
        commit: z.string(),
        author: z.string(),
        date: z.string(),
        subject: z.string(),
        refs: z.array(z.string()).optional(),
        merge: z.array(z.string()).optional(),
      }),
    ),
    graph: z.array(z.string()).optional(),
    hasMore: z.boolean(),
  }),
  run: async (_engines, args, call) => {
    const repository = await repositoryOf(call.project, { signal: call.signal, bare: true });
    const { search: pickaxe, ...rest } = args;
    const { commits, graph, hasMore } = await gitLog(repository, { ...rest, pickaxe, signal: call.signal });
    return {
      commits: commits.map(({ commit, author, date, subject, refs, parents }) => ({
        commit: short(commit),
        author,
        date,
        subject,
        ...(refs === undefined ? {} : { refs }),
        ...(parents.length > 1 ? { merge: parents.map(short) } : {}),
      })),
      ...(graph === undefined
        ? {}
        : { graph: graph.map(({ line, commit }) => (commit === undefined ? line : `${line} ${short(commit)}`)) }),
      hasMore,
    };
  },
  render: (data) => {
    if (data.commits.length === 0) return 'No commits.';
    const facts = new Map(
      data.commits.map((one) => [
        one.commit,
        `${one.commit} ${one.date.slice(0, 10)} ${one.author}: ${one.subject}${one.refs === undefined ? '' : ` (${one.refs.join(', ')})`}`,
      ]),
    );
    const lines =
      data.graph?.map((line) => line.replace(/[0-9a-f]{12}$/, (commit) => facts.get(commit) ?? commit)) ??
      facts.values();
    return [...lines, ...(data.hasMore ? ['(there are more: raise limit, or pass a range)'] : [])].join('\n');
  },
});
