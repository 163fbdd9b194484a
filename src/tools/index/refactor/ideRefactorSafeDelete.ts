import { z } from 'zod';
import { defineTool } from '../../defineTool.ts';
import { addressShape, targetOf } from '../address.ts';
import { commonShape, refactoring, refactoringOutput, renderRefactoring } from './refactoringShape.ts';

export const ideRefactorSafeDelete = defineTool({
  name: 'ide_refactor_safe_delete',
  title: 'Safe delete',
  description: 'Deletes a declaration nothing uses, else lists the uses; cascade: also what exists only for it.',
  faces: ['default', 'index'],
  toolset: 'refactoring',
  effect: 'edit',
  paths: { file: 'file' },
  input: z.object({ ...addressShape, cascade: z.boolean().optional(), ...commonShape }),
  output: refactoringOutput,
  run: async (engines, args, call) => {
    const target = await targetOf(engines.code.workspace(call.project), args, call);
    return refactoring(
      engines,
      call,
      'ide_refactor_safe_delete',
      { path: target.path, name: 'safeDelete' },
      args,
      (refactorer, waiting) =>
        refactorer.safeDelete(target, { cascade: args.cascade ?? false, force: args.force ?? false }, waiting),
    );
  },
  render: renderRefactoring,
});
