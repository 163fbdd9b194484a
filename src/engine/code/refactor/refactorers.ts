import { dottedExtensions } from '../../../base/languages/byPath.ts';
import type { Provision } from '../../provision/provision.ts';
import type { CodeEngine } from '../codeEngine.ts';
import { refusingDoubts } from './doubtfulUses.ts';
import { lspRefactorer } from './lsp/lspRefactorer.ts';
import { lspRefactorings } from './lsp/profiles.ts';
import { namePlaces } from './python/namePlaces.ts';
import { pythonRefactorer } from './python/pythonRefactorer.ts';
import type { RefactorerFactory } from './refactorEngine.ts';
import { typescriptRefactorer } from './typescript/typescriptRefactorer.ts';

/** The engines that refactor, by the extension of the files they know. */
export function refactorersByExtension(provision: Provision, code: CodeEngine): ReadonlyMap<string, RefactorerFactory> {
  const typescriptFamily: RefactorerFactory = (project, logger) =>
    refusingDoubts(typescriptRefactorer(code.workspace(project), logger), code.workspace(project));
  const python: RefactorerFactory = (project) =>
    refusingDoubts(pythonRefactorer(project, provision, namePlaces(project, code)), code.workspace(project));
  return new Map([
    ...dottedExtensions('typescript').map((extension) => [extension, typescriptFamily] as const),
    ...dottedExtensions('python').map((extension) => [extension, python] as const),
    ...lspRefactorings.flatMap((profile) => {
      const factory: RefactorerFactory = (project) => lspRefactorer(code.workspace(project), profile);
      return profile.extensions.map((extension) => [extension, factory] as const);
    }),
  ]);
}
