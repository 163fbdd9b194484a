import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/errors.ts';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { listQuickFixes } from '../../engine/code/problems/quickFixes.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import { waitingOf } from './address.ts';

export const ideListQuickFixes = defineTool({
  name: 'ide_list_quick_fixes',
  title: 'List quick fixes',
  description: 'Fixes for the problems of a file, a line or one problem id, for ide_apply_quick_fix.',
  faces: ['index'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { file: 'file' },
  input: z.object({
    file: z.string().optional(),
    line: z.number().int().min(1).optional(),
    problem_id: z.string().optional(),
  }),
  output: z.object({
    fixes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        file: z.string(),
        line: z.number(),
        problem: z.string(),
        preferred: z.boolean().optional(),
        disabled: z.string().optional(),
      }),
    ),
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const path =
      args.file ?? (args.problem_id === undefined ? undefined : workspace.problems.known(args.problem_id).problem.path);
    if (path === undefined)
      throw new ToolError('invalid_arguments', 'Pass file (with line), or problem_id of an earlier ide_analyze_code.');
    const fixes = await listQuickFixes(
      workspace,
      workspace.problems,
      {
        path,
        ...(args.line === undefined ? {} : { position: { line: args.line, column: 1 } }),
        ...(args.problem_id === undefined ? {} : { problemId: args.problem_id }),
      },
      waitingOf(call),
    );
    if (fixes.length === 0) await noteWhyNone(workspace, path, call);
    return {
      fixes: fixes.slice(0, 100).map((fix) => ({
        id: fix.id,
        title: fix.title,
        file: workspace.shown(path),
        line: fix.problem?.range.start.line ?? 1,
        problem: fix.problem?.message.split('\n')[0] ?? '',
        ...(fix.preferred ? { preferred: true } : {}),
        ...(fix.disabled === undefined ? {} : { disabled: fix.disabled }),
      })),
    };
  },
  render: (data) =>
    data.fixes.length === 0
      ? 'No fixes are offered here.'
      : data.fixes
          .map(
            (fix) =>
              `${fix.id} ${fix.title} (${fix.file}:${fix.line} ${fix.problem})${fix.disabled === undefined ? '' : ` disabled: ${fix.disabled}`}`,
          )
          .join('\n'),
});

/** None may mean that nobody has looked, or that what is wrong has no fix. */
async function noteWhyNone(workspace: CodeWorkspace, path: string, call: ToolCall): Promise<void> {
  const { analysed, index, problems } = await workspace.problems.report({ files: [path] }, waitingOf(call));
  const shown = workspace.shown(path);
  if (analysed === 0 || index.state !== 'ready')
    call.note(`${shown} was not analysed${index.detail === undefined ? '' : ` (${index.detail})`}`);
  else if (problems.length > 0)
    call.note(
      `${shown} has ${counted(problems.length, 'problem')} (ide_analyze_code), none with a fix for what was asked`,
    );
}
