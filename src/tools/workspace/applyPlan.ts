import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import { reportChange } from '../../engine/workspace/edits/changeReport.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { deltaLines, problemDelta } from '../index/refactor/refactoringShape.ts';

export const applyPlan = defineTool({
  name: 'apply_plan',
  title: 'Apply plan',
  description: 'Carries out a previewed change if no file of it changed since; `exclude` leaves paths out.',
  faces: ['default', 'workspace', 'index'],
  toolset: 'refactoring',
  effect: 'edit',
  paths: { exclude: 'new' },
  input: z.object({ plan_id: z.string(), exclude: z.array(z.string()).optional() }),
  output: z.object({ summary: z.string(), ...changeFields, diagnostics: problemDelta }),
  run: async (engines, args, call) => {
    const stored = engines.plans.get(call.project, args.plan_id);
    const applied = await engines.plans.apply(stored, originOf(call, stored.tool), args.exclude);
    call.affects(...applied.plan.transitions.map((one) => one.path));
    const warning = applied.notes?.join('. ') ?? '';
    const done = applied.origin.summary ?? stored.summary;
    const summary = warning === '' ? done : `${warning}. Done nevertheless: ${done}`;
    return {
      summary,
      historyId: applied.historyId,
      ...reportChange(call.project.root, applied.plan),
      ...(applied.errors === undefined ? {} : { diagnostics: applied.errors }),
    };
  },
  render: (data) => {
    const done = data.summary.includes('Done nevertheless: ') ? data.summary : `Done: ${data.summary}`;
    const changed = `${done} (${counted(data.affectedFiles.length, 'file')} changed).`;
    return renderChange([changed, ...deltaLines(data.diagnostics)].join('\n'), data);
  },
});
