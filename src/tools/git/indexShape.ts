import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { counted } from '../../base/text/counted.ts';
import type { IndexState, StagedPart } from '../../engine/workspace/git/staging.ts';
import { fileName, pathsParameter } from './shapes.ts';

/** How staging and unstaging name what they mean. */
export const stagingShape = {
  paths: pathsParameter,
  hunks: z.array(z.string()).optional(),
  file_path: z.string().optional(),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
};

export function stagedPart(args: z.output<z.ZodObject<typeof stagingShape>>): StagedPart {
  const { paths, hunks, file_path: path, start_line: start, end_line: end } = args;
  if (path === undefined && start === undefined && end === undefined) return { paths, hunks };
  if (path === undefined || start === undefined)
    throw new ToolError('invalid_arguments', 'Lines need file_path and start_line. Nothing was changed.', {
      hint: 'A whole file is named in paths.',
    });
  if (end !== undefined && end < start)
    throw new ToolError('invalid_arguments', `end_line (${end}) lies before start_line (${start}).`);
  return { paths, hunks, lines: { path, start, end: end ?? start } };
}

/** What the next commit would contain. */
export const indexShape = {
  staged: z.array(
    z.object({
      file: z.string(),
      change: z.string(),
      additions: z.int(),
      deletions: z.int(),
      binary: z.boolean().optional(),
    }),
  ),
  unstaged: z.int(),
  untracked: z.int(),
  warnings: z.array(z.string()).optional(),
};

type IndexAnswer = z.output<z.ZodObject<typeof indexShape>>;

export function indexAnswer(state: IndexState): IndexAnswer {
  return state;
}

export function renderIndex(data: IndexAnswer): string {
  const files = data.staged.map(
    ({ file, change, additions, deletions, binary }) =>
      `${fileName(file)}: ${change}${binary === true ? ', binary' : ` +${additions} -${deletions}`}`,
  );
  return [
    data.staged.length === 0 ? 'Nothing is staged.' : `Staged, ${counted(data.staged.length, 'file')}:`,
    ...files,
    `(${data.unstaged} changed but not staged, ${data.untracked} untracked)`,
    ...(data.warnings ?? []),
  ].join('\n');
}
