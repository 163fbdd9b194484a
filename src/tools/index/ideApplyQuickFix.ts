import { z } from 'zod';
import { errorsAround, quickFixOperations } from '../../engine/code/problems/quickFixes.ts';
import { hasErrors, shownDelta } from '../../engine/code/refactor/problemDelta.ts';
import type { AppliedChange } from '../../engine/workspace/edits/applier.ts';
import type { ChangeOrigin, ChangePlan } from '../../engine/workspace/edits/operations.ts';
import type { Waiting } from '../../engine/code/model.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { waitingOf } from './address.ts';
import { deltaLines, problemDelta } from './refactor/refactoringShape.ts';

export const ideApplyQuickFix = defineTool({
  name: 'ide_apply_quick_fix',
  title: 'Apply quick fix',
  description: 'Applies a fix of ide_list_quick_fixes; scope file, project: all of its kind. preview: for apply_plan.',
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
    diagnostics: problemDelta,
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
    const carryOut = async (chosen: ChangePlan, origin: ChangeOrigin, waiting: Waiting): Promise<AppliedChange> => {
      const files = chosen.transitions.map(({ path }) => path);
      const { applied, delta } = await errorsAround(workspace, files, waiting, () =>
        engines.edits.apply(call.project, chosen, origin),
      );
      const errors = shownDelta(call.project, delta);
      return { ...applied, errors, notes: errors.appeared.length > 0 ? [hasErrors(errors.appeared)] : [] };
    };
    if (args.preview === true) {
      const stored = engines.plans.add(call.project, plan, 'ide_apply_quick_fix', title, (chosen, origin) =>
        carryOut(chosen, origin, {}),
      );
      return { success: true, message: `Would apply "${title}"${left}`, fixed, skipped, planId: stored.id, ...report };
    }
    const origin = originOf(call, 'ide_apply_quick_fix', title);
    const { historyId, errors: diagnostics, notes = [] } = await carryOut(plan, origin, waitingOf(call));
    call.affects(...plan.transitions.map((transition) => transition.path));
    const isHarmless = notes.length === 0;
    return {
      success: isHarmless,
      message: isHarmless
        ? `Applied "${title}"${left}`
        : `${notes.join('. ')}. Applied nevertheless: "${title}"${left}`,
      fixed,
      skipped,
      ...report,
      historyId,
      diagnostics,
    };
  },
  render: (data) =>
    renderChange(
      [
        data.planId === undefined
          ? `${data.message}; ${data.fixed} fixed`
          : `${data.message}; ${data.fixed} to fix; plan ${data.planId} for apply_plan`,
        ...deltaLines(data.diagnostics),
      ].join('\n'),
      data,
    ),
});
