import { counted } from '../../base/text/counted.ts';
import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { displayPath } from '../../base/paths.ts';
import {
  formatFiles,
  optimizeImports,
  type FormatParts,
  type FormatResult,
} from '../../engine/code/formatting/formatFiles.ts';
import type { LineRange } from '../../engine/code/formatting/formatter.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { isExecutableConfig } from '../../engine/workspace/executableConfig.ts';
import { filesChangedBy } from '../../engine/workspace/localHistory/ownFiles.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';

const output = z.object({
  formatted: z.array(z.object({ file: z.string(), formatter: z.string(), changed: z.boolean() })),
  problems: z.array(z.object({ file: z.string(), reason: z.string() })).optional(),
  ...changeFields,
});

export const formatCode = defineTool({
  name: 'format_code',
  title: 'Format code',
  description:
    'Formats a file (or lines of it) with the project’s own formatter; without file_path, all files you changed.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  paths: { file_path: 'file' },
  input: z.object({
    file_path: z.string().optional(),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  output,
  run: async (engines, args, call) => {
    const range = rangeOf(args);
    const files = await filesOf(engines, args.file_path, call);
    const parts = partsOf(engines);
    return answer(
      await formatFiles(parts, call.project, files, range, originOf(call, 'format_code', 'format'), call.signal),
      call,
    );
  },
  render,
});

export const optimizeImportsTool = defineTool({
  name: 'optimize_imports',
  title: 'Optimize imports',
  description: 'Sorts imports and removes unused ones; without file_path, in all files you changed.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  paths: { file_path: 'file' },
  input: z.object({ file_path: z.string().optional() }),
  output,
  run: async (engines, args, call) => {
    const files = await filesOf(engines, args.file_path, call);
    const parts = partsOf(engines);
    return answer(
      await optimizeImports(
        parts,
        call.project,
        files,
        originOf(call, 'optimize_imports', 'optimize imports'),
        call.signal,
      ),
      call,
    );
  },
  render,
});

function rangeOf(args: { file_path?: string; start_line?: number; end_line?: number }): LineRange | undefined {
  const { file_path: file, start_line: start, end_line: end } = args;
  if (start === undefined && end === undefined) return undefined;
  if (file === undefined)
    throw new ToolError('invalid_arguments', 'Lines are lines of one file.', { hint: 'Pass file_path with them.' });
  const range = { startLine: start ?? 1, endLine: end ?? start ?? 1 };
  if (range.endLine < range.startLine)
    throw new ToolError('invalid_arguments', `end_line (${end}) lies before start_line (${start}).`);
  return range;
}

async function filesOf(engines: Engines, file: string | undefined, call: ToolCall): Promise<string[]> {
  if (file !== undefined) return [file];
  const changed = await filesChangedBy(engines.localHistory, call.project, call.client.id);
  const files = changed.filter((path) => call.agreedTo !== undefined || !isExecutableConfig(path, call.project.root));
  if (files.length === 0)
    throw new ToolError('invalid_arguments', 'You have changed no file yet.', { hint: 'Pass file_path.' });
  return files;
}

function partsOf({ edits: applier, refactor, provision, workingTree }: Engines): FormatParts {
  return { applier, refactor, provision, workingTree };
}

function answer(result: FormatResult, call: ToolCall): z.input<typeof output> {
  call.affects(...result.applied.plan.transitions.map((one) => one.path));
  const besides = result.besides?.change;
  if (besides !== undefined) {
    const files = besides.transitions.slice(0, 10).map(({ path }) => displayPath(call.project.root, path));
    call.note(`While it ran, ${files.join(', ')} changed too (history: ${besides.id}, undo takes it back)`);
  }
  return {
    formatted: result.by,
    ...(result.problems.length > 0 ? { problems: result.problems } : {}),
    historyId: result.applied.historyId,
    ...reportChange(call.project.root, result.applied.plan),
  };
}

function render(data: z.output<typeof output>): string {
  const changed = data.formatted.filter((one) => one.changed);
  const by = [...new Set(data.formatted.map((one) => one.formatter))].join(', ');
  const head =
    by === ''
      ? 'No file was changed.'
      : `${changed.length} of ${counted(data.formatted.length, 'file')} changed (${by}).`;
  const reasons = new Map<string, string[]>();
  for (const { file, reason } of data.problems ?? []) reasons.set(reason, [...(reasons.get(reason) ?? []), file]);
  const problems = [...reasons].map(([reason, files]) => `${files.join(', ')}: ${reason}`);
  return renderChange([head, ...problems].join('\n'), data);
}
