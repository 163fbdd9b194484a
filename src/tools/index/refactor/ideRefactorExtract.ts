import { relative } from 'node:path';
import { z } from 'zod';
import { selectedRange } from '../../../engine/code/refactor/selection.ts';
import { defineTool } from '../../defineTool.ts';
import { commonShape, refactoring, refactoringOutput, renderRefactoring } from './refactoringShape.ts';

const selectionShape = {
  file: z.string(),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
  start_column: z.int().min(1).optional(),
  end_column: z.int().min(1).optional(),
  text: z.string().optional(),
  new_name: z.string(),
  scope: z.enum(['class', 'module', 'function']).optional(),
  all: z.boolean().optional(),
  ...commonShape,
};

export const ideRefactorExtractMethod = extractTool(
  'ide_refactor_extract_method',
  'Extract method',
  'Makes a function or method of lines, columns or `text`.',
  'extractMethod',
);

export const ideRefactorExtractVariable = extractTool(
  'ide_refactor_extract_variable',
  'Extract variable',
  'Makes a variable of an expression, given by columns or `text`.',
  'extractVariable',
);

function extractTool(name: string, title: string, description: string, kind: 'extractMethod' | 'extractVariable') {
  return defineTool({
    name,
    title,
    description,
    faces: kind === 'extractMethod' ? ['default', 'index'] : ['index'],
    toolset: 'refactoring',
    effect: 'edit',
    paths: { file: 'file' },
    input: z.object(selectionShape),
    output: refactoringOutput,
    run: async (engines, args, call) => {
      const workspace = engines.code.workspace(call.project);
      await workspace.sync();
      const range = selectedRange(relative(call.project.root, args.file), await workspace.texts.get(args.file), {
        startLine: args.start_line,
        endLine: args.end_line,
        startColumn: args.start_column,
        endColumn: args.end_column,
        text: args.text,
      });
      const request = { path: args.file, range, newName: args.new_name, scope: args.scope, all: args.all ?? false };
      return refactoring(engines, call, name, { path: args.file, name: kind }, args, (refactorer, waiting) =>
        refactorer[kind](request, waiting),
      );
    },
    render: renderRefactoring,
  });
}
