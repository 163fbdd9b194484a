import { cppRefactoring } from './cpp.ts';
import { goRefactoring } from './go.ts';
import { javaRefactoring } from './java.ts';
import type { LspRefactoring } from './profile.ts';
import { rustRefactoring } from './rust.ts';

/** Languages whose own server refactors. Adding one is one file and one line here. */
export const lspRefactorings: readonly LspRefactoring[] = [
  goRefactoring,
  javaRefactoring,
  cppRefactoring,
  rustRefactoring,
];
