import type { RefactorerFactory } from './refactorEngine.ts';
import { typescriptRefactorer } from './typescript/typescriptRefactorer.ts';

/** The engines that refactor, by the extension of the files they know. */
export function refactorersByExtension(): ReadonlyMap<string, RefactorerFactory> {
  const typescript = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
  return new Map(typescript.map((extension) => [extension, typescriptRefactorer]));
}
