import { z } from 'zod';
import { defineTool } from '../../defineTool.ts';
import { addressShape, targetOf } from '../address.ts';
import { commonShape, refactoring, refactoringOutput, renderRefactoring } from './refactoringShape.ts';

export const ideRefactorInline = defineTool({
  name: 'ide_refactor_inline',
  title: 'Inline',
  description: 'Puts a variable’s value or a function’s body in place of its uses; all: false only at the use given.',
  faces: ['default', 'index'],
  toolset: 'refactoring',
  effect: 'edit',
  paths: { file: 'file' },
  input: z.object({ ...addressShape, all: z.boolean().optional(), ...commonShape }),
  output: refactoringOutput,
  run: async (engines, args, call) => {
    const target = await targetOf(engines.code.workspace(call.project), args, call);
    return refactoring(
      engines,
      call,
      'ide_refactor_inline',
      { path: target.path, name: 'inline' },
      args,
      (refactorer, waiting) => refactorer.inline(target, { all: args.all ?? true }, waiting),
    );
  },
  render: renderRefactoring,
});
