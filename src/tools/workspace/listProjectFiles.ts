import { z } from 'zod';
import { listFiles } from '../../engine/workspace/fileListing.ts';
import { defineTool } from '../defineTool.ts';

export const listProjectFiles = defineTool({
  name: 'list_project_files',
  title: 'List files',
  description:
    'Lists the files of the project without what git ignores, sorted, in pages. Globs: "*.ts", "src/**/*.py", "!**/generated/**".',
  faces: ['workspace'],
  toolset: 'project',
  effect: 'read',
  paths: { directory: 'directory' },
  input: z.object({
    glob: z.array(z.string()).optional(),
    directory: z.string().optional(),
    include_ignored: z.boolean().optional(),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(5000).default(100),
  }),
  output: z.object({
    files: z.array(z.string()),
    total: z.int(),
    offset: z.int(),
    nextOffset: z.int().optional(),
    /** The project has more files than are ever listed; narrow the glob. */
    capped: z.boolean().optional(),
  }),
  run: async (engines, args, call) => {
    const excluded = engines.settings.of(call.project)['files.exclude'].map((glob) => `!${glob}`);
    const { files, capped } = await listFiles(call.project, {
      folder: args.directory,
      globs: [...(args.glob ?? []), ...excluded],
      includeIgnored: args.include_ignored,
      signal: call.signal,
    });
    const page = files.slice(args.offset, args.offset + args.limit);
    const end = args.offset + page.length;
    return {
      files: page,
      total: files.length,
      offset: args.offset,
      nextOffset: end < files.length ? end : undefined,
      capped: capped || undefined,
    };
  },
  render: (data) => {
    if (data.total === 0) return 'No files match.';
    const range = data.files.length === data.total ? '' : ` (${data.offset + 1}-${data.offset + data.files.length})`;
    const more = data.nextOffset === undefined ? '' : `\n(goes on at offset ${data.nextOffset})`;
    const capped = data.capped === true ? ' or more' : '';
    return `${data.total}${capped} files${range}\n${data.files.join('\n')}${more}`;
  },
});
