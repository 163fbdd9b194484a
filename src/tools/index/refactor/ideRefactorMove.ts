import { basename, join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../../base/errors.ts';
import { defineTool } from '../../defineTool.ts';
import { addressShape, targetOf } from '../address.ts';
import { commonShape, refactoring, refactoringOutput, renderRefactoring } from './refactoringShape.ts';

export const ideRefactorMove = defineTool({
  name: 'ide_refactor_move',
  title: 'Move',
  description: 'Moves a top-level symbol, or (given only file) a file or directory; importers follow.',
  faces: ['default', 'index'],
  toolset: 'refactoring',
  effect: 'edit',
  paths: { file: 'existing', target_file: 'new', target_directory: 'new' },
  input: z.object({
    ...addressShape,
    target_file: z.string().optional(),
    target_directory: z.string().optional(),
    ...commonShape,
  }),
  output: refactoringOutput,
  run: async (engines, args, call) => {
    const { file, target_file, target_directory } = args;
    const isWholeFile =
      file !== undefined && args.line === undefined && args.text === undefined && args.symbol === undefined;
    if (isWholeFile) {
      const to = target_file ?? placeIn(target_directory, file);
      if (to === undefined) throw noTarget('target_file or target_directory');
      return refactoring(
        engines,
        call,
        'ide_refactor_move',
        { path: file, name: 'moveFile' },
        args,
        (refactorer, waiting) => refactorer.moveFile(file, to, waiting),
      );
    }
    if (target_file === undefined) throw noTarget('target_file');
    const target = await targetOf(engines.code.workspace(call.project), args, call);
    return refactoring(
      engines,
      call,
      'ide_refactor_move',
      { path: target.path, name: 'moveSymbol' },
      args,
      (refactorer, waiting) => refactorer.moveSymbol(target, target_file, waiting),
    );
  },
  render: renderRefactoring,
});

function placeIn(directory: string | undefined, file: string | undefined): string | undefined {
  return directory === undefined ? undefined : join(directory, basename(file ?? ''));
}

function noTarget(what: string): ToolError {
  return new ToolError('invalid_arguments', 'Where should it go?', { hint: `Pass ${what}.` });
}
