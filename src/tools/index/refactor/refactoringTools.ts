import type { Tool } from '../../defineTool.ts';
import { ideRefactorExtractMethod, ideRefactorExtractVariable } from './ideRefactorExtract.ts';
import { ideRefactorInline } from './ideRefactorInline.ts';
import { ideRefactorMove } from './ideRefactorMove.ts';
import { ideRefactorRename } from './ideRefactorRename.ts';
import { ideRefactorSafeDelete } from './ideRefactorSafeDelete.ts';

/** The refactorings, in the order faces list them. */
export const refactoringTools: readonly Tool[] = [
  ideRefactorRename,
  ideRefactorExtractMethod,
  ideRefactorExtractVariable,
  ideRefactorInline,
  ideRefactorSafeDelete,
  ideRefactorMove,
];
