import { z } from 'zod';
import { gitBlame } from '../../engine/workspace/git/blame.ts';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { defineTool } from '../defineTool.ts';
import { fileName, short } from './shapes.ts';

export const gitBlameTool = defineTool({
  name: 'git_blame',
  title: 'Git blame',
  description: 'Which commit brought which lines; `moved` traces moved and copied ones.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'read',
  paths: { file_path: 'entry' },
  input: z.object({
    file_path: z.string(),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
    revision: z.string().optional(),
    ignore_revs: z.array(z.string()).max(50).optional(),
    moved: z.boolean().optional(),
  }),
  output: z.object({
    file: z.string(),
    blocks: z.array(
      z.object({
        lines: z.string(),
        commit: z.string().optional(),
        from: z.object({ file: z.string(), line: z.int() }).optional(),
        text: z.array(z.string()).optional(),
      }),
    ),
    commits: z.record(z.string(), z.object({ author: z.string(), date: z.string(), summary: z.string() })),
    ignoredCommits: z.int().optional(),
  }),
  run: async (_engines, args, call) => {
    const { signal } = call;
    const repository = await repositoryOf(call.project, { signal, bare: true });
    const { file_path: path, start_line: startLine, end_line: endLine, revision, moved } = args;
    const request = { path, startLine, endLine, revision, ignoreRevisions: args.ignore_revs, moved, signal };
    const { file, blocks, ignored } = await gitBlame(repository, request);
    const isNarrow = startLine !== undefined || endLine !== undefined;
    return {
      file,
      blocks: blocks.map(({ startLine: first, endLine: last, commit, from, text }) => ({
        lines: first === last ? String(first) : `${first}-${last}`,
        ...(commit === undefined ? {} : { commit: short(commit) }),
        ...(from === undefined ? {} : { from }),
        ...(isNarrow ? { text } : {}),
      })),
      commits: Object.fromEntries(
        blocks.flatMap(({ commit, author = '', date = '', summary = '' }) =>
          commit === undefined ? [] : [[short(commit), { author, date, summary }]],
        ),
      ),
      ...(ignored === 0 ? {} : { ignoredCommits: ignored }),
    };
  },
  render: (data) => {
    const ignored = data.ignoredCommits === undefined ? '' : ` (${data.ignoredCommits} commits ignored)`;
    const told = new Set<string>();
    // Who and why is told with the first lines of a commit.
    const commitText = (commit: string) => {
      const facts = told.has(commit) ? undefined : data.commits[commit];
      told.add(commit);
      return facts === undefined ? commit : `${commit} ${facts.date} ${facts.author}: ${facts.summary}`;
    };
    return [
      `${fileName(data.file)}${ignored}`,
      ...data.blocks.flatMap((block) => {
        const from = block.from === undefined ? '' : ` [from ${fileName(block.from.file)}:${block.from.line}]`;
        const who = block.commit === undefined ? 'not committed' : `${commitText(block.commit)}${from}`;
        return [`${block.lines} ${who}`, ...(block.text ?? []).map((line) => `\t${line}`)];
      }),
    ].join('\n');
  },
});
