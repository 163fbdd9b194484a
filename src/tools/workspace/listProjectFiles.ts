import { z } from 'zod';
import { isInside } from '../../base/paths.ts';
import { listFiles } from '../../engine/workspace/fileListing.ts';
import { defineTool } from '../defineTool.ts';

export const listProjectFiles = defineTool({
  name: 'list_project_files',
  title: 'List project files',
  description:
    'Lists the files of the project without what git ignores, sorted, in pages. Globs: "*.ts", "!**/generated/**".',
  faces: ['workspace'],
  toolset: 'project',
  effect: 'read',
  paths: { directory: 'searchable' },
  input: z.object({
    glob: z.array(z.string()).optional(),
    directory: z.string().optional(),
    include_ignored: z.boolean().optional(),
    offset: z.int().min(0).default(0),
    limit: z.int().min(1).max(5000).default(100),
  }),
  output: z.object({
    files: z.array(z.string()),
    /** The folder that they are relative to, where it is not the project's: that of a library. */
    below: z.string().optional(),
    total: z.int(),
    offset: z.int(),
    nextOffset: z.int().optional(),
    /** The project has more files than are ever listed; narrow the glob. */
    capped: z.boolean().optional(),
  }),
  run: async (engines, args, call) => {
    const excluded = engines.settings.of(call.project)['files.exclude'].map((glob) => `!${glob}`);
    const { directory } = args;
    // The files of a library are told from its own folder: its path before each of them would be most of the answer.
    const isLibrary = directory !== undefined && !isInside(call.project.root, directory);
    const searched = isLibrary ? { root: directory, env: call.project.env } : call.project;
    const { files, capped } = await listFiles(searched, {
      folder: isLibrary ? undefined : directory,
      globs: [...(args.glob ?? []), ...excluded],
      includeIgnored: args.include_ignored,
      signal: call.signal,
    });
    const page = files.slice(args.offset, args.offset + args.limit);
    const end = args.offset + page.length;
    return {
      files: page,
      below: isLibrary ? directory : undefined,
      total: files.length,
      offset: args.offset,
      nextOffset: end < files.length ? end : undefined,
      capped: capped || undefined,
    };
  },
  render: (data) => {
    if (data.total === 0) return 'No files match.';
    const below = data.below === undefined ? '' : ` below ${data.below}`;
    const range = data.files.length === data.total ? '' : ` (${data.offset + 1}-${data.offset + data.files.length})`;
    const more = data.nextOffset === undefined ? '' : `\n(goes on at offset ${data.nextOffset})`;
    const capped = data.capped === true ? ' or more' : '';
    return `${data.total}${capped} files${range}${below}\n${data.files.join('\n')}${more}`;
  },
});
