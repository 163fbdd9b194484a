import { z } from 'zod';
import { quickFixOperations } from '../../engine/code/problems/quickFixes.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { waitingOf } from './address.ts';

export const ideApplyQuickFix = defineTool({
  name: 'ide_apply_quick_fix',
  title: 'Apply quick fix',
  description:
    'Applies a fix of ide_list_quick_fixes; scope file or project fixes every problem of that kind. preview returns a plan for apply_plan.',
  faces: ['index'],
  toolset: 'diagnostics',
  effect: 'edit',
  input: z.object({
    fix_id: z.string(),
    scope: z.enum(['problem', 'file', 'project']).optional(),
    preview: z.boolean().optional(),
  }),
  output: z.object({
    success: z.boolean(),
    message: z.string(),
    fixed: z.number(),
    skipped: z.number(),
    planId: z.string().optional(),
    ...changeFields,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const { operations, title, fixed, skipped } = await quickFixOperations(
      workspace,
      workspace.problems,
      args.fix_id,
      args.scope ?? 'problem',
      waitingOf(call),
    );
    const plan = await engines.edits.plan(call.project, operations);
    const report = reportChange(call.project.root, plan);
    const left = skipped === 0 ? '' : `; ${skipped} left (overlapping or no such fix): apply again`;
    if (args.preview === true) {
      const stored = engines.plans.add(call.project, plan, 'ide_apply_quick_fix', title);
      return { success: true, message: `Would apply "${title}"${left}`, fixed, skipped, planId: stored.id, ...report };
    }
    const applied = await engines.edits.apply(call.project, plan, originOf(call, 'ide_apply_quick_fix', title));
    call.affects(...plan.transitions.map((transition) => transition.path));
    await workspace.sync();
    return {
      success: true,
      message: `Applied "${title}"${left}`,
      fixed,
      skipped,
      ...report,
      historyId: applied.historyId,
    };
  },
  render: (data) =>
    renderChange(
      `${data.message}; ${data.fixed} fixed${data.planId === undefined ? '' : `; plan ${data.planId}`}`,
      data,
    ),
});
