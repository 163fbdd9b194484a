import { z } from 'zod';
import { repositoryOf } from '../../engine/workspace/git/repository.ts';
import { showCommit, showFile } from '../../engine/workspace/git/show.ts';
import { defineTool } from '../defineTool.ts';
import { diffAnswer, diffLines, diffShape } from './diffShape.ts';
import { fileName, pathsParameter, short } from './shapes.ts';

export const gitShowTool = defineTool({
  name: 'git_show',
  title: 'Git show',
  description: 'A commit with its difference; with file_path, that file or folder as it was then.',
  faces: ['workspace'],
  toolset: 'git',
  effect: 'read',
  maxChars: 12_000,
  paths: { paths: 'entry', file_path: 'entry' },
  input: z.object({
    revision: z.string().default('HEAD'),
    paths: pathsParameter,
    file_path: z.string().optional(),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  output: z.object({
    commit: z.string(),
    parents: z.array(z.string()).optional(),
    author: z.string().optional(),
    date: z.string().optional(),
    refs: z.array(z.string()).optional(),
    message: z.string().optional(),
    ...diffShape,
    files: diffShape.files.optional(),
    entry: z
      .object({
        file: z.string(),
        kind: z.enum(['file', 'link', 'folder', 'submodule']),
        executable: z.boolean().optional(),
        size: z.int().optional(),
        content: z.string().optional(),
        startLine: z.int().optional(),
        totalLines: z.int().optional(),
        binary: z.boolean().optional(),
        lfsSize: z.int().optional(),
        entries: z.array(z.string()).optional(),
      })
      .optional(),
  }),
  run: async (_engines, args, call) => {
    const { signal } = call;
    const repository = await repositoryOf(call.project, { signal, bare: true });
    const { revision, file_path: path, start_line: startLine, end_line: endLine, paths } = args;
    if (path !== undefined) {
      const { commit, ...entry } = await showFile(repository, { revision, path, startLine, endLine, signal });
      return { commit, entry };
    }
    const { files, truncated: _, email, ...shown } = await showCommit(repository, { revision, paths, signal });
    const room = Math.max(call.budget.maxChars - JSON.stringify(shown).length - email.length, 500);
    return { ...shown, author: `${shown.author} <${email}>`, ...diffAnswer(files, { maxChars: room }) };
  },
  render: (data) => {
    const { entry } = data;
    if (entry === undefined) {
      const merge =
        (data.parents?.length ?? 0) > 1
          ? `, merge of ${(data.parents ?? []).map(short).join(' and ')}; against the first`
          : '';
      const refs = data.refs === undefined ? '' : ` (${data.refs.join(', ')})`;
      return [
        `${data.commit}${refs} ${data.date ?? ''} ${data.author ?? ''}${merge}`,
        data.message ?? '',
        '',
        ...diffLines({ ...data, files: data.files ?? [] }),
      ].join('\n');
    }
    const facts = [
      entry.kind,
      ...(entry.executable === true ? ['executable'] : []),
      ...(entry.binary === true ? [`no text, ${entry.size ?? 0} bytes`] : []),
      ...(entry.lfsSize === undefined ? [] : [`pointer of git-lfs to ${entry.lfsSize} bytes`]),
      ...(entry.totalLines === undefined ? [] : [`${entry.totalLines} lines`]),
    ];
    const start = entry.startLine ?? 1;
    const lines = (entry.content ?? '').split('\n');
    const numbered = entry.kind === 'file' ? lines.map((line, index) => `${start + index}\t${line}`) : lines;
    return [
      `${fileName(entry.file)} at ${short(data.commit)}: ${facts.join(', ')}`,
      ...(entry.entries ?? (entry.content === undefined ? [] : numbered)),
    ].join('\n');
  },
});
