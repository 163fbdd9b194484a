import { dirname, extname, join } from 'node:path';
import { z } from 'zod';
import { advise, step } from '../../../base/text/advice.ts';
import { codeLanguageOfPath } from '../../../base/languages/byPath.ts';
import { ToolError } from '../../../base/errors.ts';
import { defineTool } from '../../defineTool.ts';
import { addressShape, targetOf } from '../address.ts';
import { commonShape, refactoring, refactoringOutput, renderRefactoring } from './refactoringShape.ts';

export const ideRefactorRename = defineTool({
  name: 'ide_refactor_rename',
  title: 'Rename',
  description: 'Renames a symbol everywhere (comments: and in text); given only file, the file and its imports.',
  faces: ['default', 'index'],
  alwaysLoad: true,
  toolset: 'refactoring',
  effect: 'edit',
  paths: { file: 'existing' },
  input: z.object({ ...addressShape, new_name: z.string(), comments: z.boolean().optional(), ...commonShape }),
  output: refactoringOutput,
  run: async (engines, args, call) => {
    const { file } = args;
    const isWholeFile =
      file !== undefined && args.line === undefined && args.text === undefined && args.symbol === undefined;
    if (isWholeFile) {
      const to = renamedFile(file, args.new_name);
      return refactoring(
        engines,
        call,
        'ide_refactor_rename',
        { path: file, name: 'moveFile' },
        args,
        (refactorer, waiting) => refactorer.moveFile(file, to, waiting),
      );
    }
    const target = await targetOf(engines.code.workspace(call.project), { ...args, acceptsStrings: true }, call);
    return refactoring(
      engines,
      call,
      'ide_refactor_rename',
      { path: target.path, name: 'rename' },
      args,
      (refactorer, waiting) => refactorer.rename(target, args.new_name, { comments: args.comments ?? false }, waiting),
    );
  },
  render: renderRefactoring,
});

/** A file keeps its directory, and a source file its extension unless another is given. */
function renamedFile(file: string, newName: string): string {
  if (/[/\\]/.test(newName))
    throw new ToolError('invalid_arguments', `new_name is the name of the file alone, not a path: "${newName}".`, {
      hint: advise`${step('ideRefactorMove')} with target_file "${newName}" moves it there.`,
    });
  const extension = extname(newName) === '' && codeLanguageOfPath(file) !== undefined ? extname(file) : undefined;
  return join(dirname(file), newName + (extension ?? ''));
}
