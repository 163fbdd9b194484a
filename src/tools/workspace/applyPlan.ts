import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';

export const applyPlan = defineTool({
  name: 'apply_plan',
  title: 'Apply plan',
  description: 'Carries out a previewed change, whole, if none of its files changed since; `exclude` leaves paths out.',
  faces: ['default', 'workspace', 'index'],
  toolset: 'refactoring',
  effect: 'edit',
  paths: { exclude: 'new' },
  input: z.object({ plan_id: z.string(), exclude: z.array(z.string()).optional() }),
  output: z.object({ summary: z.string(), ...changeFields }),
  run: async (engines, args, call) => {
    const stored = engines.plans.get(call.project, args.plan_id);
    const applied = await engines.plans.apply(stored, originOf(call, stored.tool), args.exclude);
    call.affects(...applied.plan.transitions.map((one) => one.path));
    const warning = applied.notes?.join('. ') ?? '';
    const summary = warning === '' ? stored.summary : `${warning}. Done nevertheless: ${stored.summary}`;
    return { summary, historyId: applied.historyId, ...reportChange(call.project.root, applied.plan) };
  },
  render: (data) => {
    const done = data.summary.includes('Done nevertheless: ') ? data.summary : `Done: ${data.summary}`;
    return renderChange(`${done} (${counted(data.affectedFiles.length, 'file')} changed).`, data);
  },
});
