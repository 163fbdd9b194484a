import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import { searchText } from '../../engine/code/queries/textSearch.ts';
import { defineTool } from '../defineTool.ts';
import { patientWaitingOf } from './address.ts';

export const searchTextTool = defineTool({
  name: 'search_text',
  title: 'Search text',
  description:
    'Text or a regular expression in files, ignored ones left out: exact counts, lines with their symbol, comments and strings marked.',
  faces: ['workspace'],
  toolset: 'navigation',
  effect: 'read',
  paths: { path: 'searchable' },
  input: z.object({
    pattern: z.string().min(1),
    literal: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
    whole_word: z.boolean().optional(),
    globs: z.array(z.string()).optional().describe('"*.ts", "!dist/**"'),
    path: z.string().optional().describe('file or folder'),
    in: z.enum(['code', 'comments', 'strings']).optional(),
    offset: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  output: z.object({
    matches: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        column: z.number(),
        text: z.string(),
        kind: z.enum(['code', 'comment', 'string']).optional(),
        enclosing: z.string().optional(),
      }),
    ),
    totalCount: z.number(),
    filesCount: z.number(),
    files: z.array(z.object({ file: z.string(), count: z.number() })).describe('most matches first'),
    nextOffset: z.number().optional(),
    incomplete: z.string().optional(),
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const offset = args.offset ?? 0;
    const found = await searchText(
      workspace,
      {
        pattern: args.pattern,
        isLiteral: args.literal ?? false,
        isCaseIgnored: args.ignore_case ?? false,
        areWholeWords: args.whole_word ?? false,
        globs: args.globs ?? [],
        ...(args.path === undefined ? {} : { below: args.path }),
        ...(args.in === undefined ? {} : { kind: kindsByArgument[args.in] }),
        offset,
        limit: args.limit ?? 40,
      },
      patientWaitingOf(call),
    );
    const shownUpTo = offset + found.matches.length;
    return {
      matches: found.matches.map(({ path, lineText, ...match }) => ({
        file: workspace.shown(path),
        ...match,
        text: lineText.trim(),
      })),
      totalCount: found.total,
      filesCount: found.files.length,
      files: found.files.map(({ path, count }) => ({ file: workspace.shown(path), count })).slice(0, maxFiles),
      ...(shownUpTo < found.total ? { nextOffset: shownUpTo } : {}),
      ...(found.incomplete === undefined ? {} : { incomplete: found.incomplete }),
    };
  },
  render: (data) => {
    const head =
      data.totalCount === 0
        ? 'No match.'
        : `${data.totalCount} ${data.totalCount === 1 ? 'match' : 'matches'} in ${counted(data.filesCount, 'file')}`;
    const page = data.nextOffset === undefined ? '' : `; ${data.matches.length} shown, next: offset ${data.nextOffset}`;
    const lines = [`${head}${page}`, ...(data.incomplete === undefined ? [] : [`INCOMPLETE: ${data.incomplete}`])];
    let file = '';
    for (const [index, match] of data.matches.entries()) {
      const previous = data.matches[index - 1];
      // One line is shown once, however often it matches.
      if (previous?.file === match.file && previous.line === match.line && previous.text === match.text) continue;
      if (match.file !== file) lines.push((file = match.file));
      const marks = [
        ...(match.kind === undefined || match.kind === 'code' ? [] : [match.kind]),
        ...(match.enclosing === undefined ? [] : [`in ${match.enclosing}`]),
      ];
      lines.push(` ${match.line}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}: ${match.text}`);
    }
    const others = data.files.filter((one) => !data.matches.some((match) => match.file === one.file));
    if (others.length > 0) lines.push(`not shown: ${others.map((one) => `${one.file} ${one.count}`).join(', ')}`);
    return lines.join('\n');
  },
});

const maxFiles = 40;
const kindsByArgument = { code: 'code', comments: 'comment', strings: 'string' } as const;
