import type { Logger } from '../../../../base/logger.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageRefactorer, RefactorTarget, RefactorWaiting } from '../model.ts';
import { classicRename, isJavaScript, openForRename } from './servers/classicRename.ts';
import { extractMethod } from './extract/extract.ts';
import { extractVariable } from './extract/variable.ts';
import { inlineSymbol } from './inline/inline.ts';
import { moveFile } from './move/file.ts';
import { moveSymbol } from './move/symbol.ts';
import { NativeBackend } from './servers/nativeBackend.ts';
import { organizeImports } from './imports/organizeImports.ts';
import { renameSymbol, type RenameOptions } from './rename/rename.ts';
import { safeDelete } from './delete/safeDelete.ts';
import { TypeScriptService } from './servers/tsService.ts';

/** TypeScript and JavaScript: renames and checks by TypeScript 7's server, what it does not offer by the classic one. */
export function typescriptRefactorer(workspace: CodeWorkspace, logger: Logger): LanguageRefactorer {
  const checker = async (): Promise<NativeBackend> => {
    await workspace.sync();
    return new NativeBackend(workspace);
  };
  const service = new TypeScriptService(workspace.project, logger, { checker });
  const rename = async (target: RefactorTarget, newName: string, options: RenameOptions, waiting: RefactorWaiting) => {
    if (isJavaScript(target.path) || (await isInDocumentation(workspace, target)))
      return service.exclusively(async () => {
        await openForRename(service, target.path, target.name, waiting);
        return renameSymbol(classicRename(service), target, newName, options, waiting);
      });
    await workspace.sync();
    return renameSymbol(new NativeBackend(workspace), target, newName, options, waiting);
  };
  let turn: Promise<unknown> = Promise.resolve();
  const renameInTurn: LanguageRefactorer['rename'] = async (target, newName, options, waiting) => {
    const next = turn.then(() => rename(target, newName, options, waiting));
    turn = next.catch(() => undefined);
    const { isUntried, ...proposed } = await next;
    const prove = ({ signal }: RefactorWaiting) => renameInTurn(target, newName, options, { signal });
    return isUntried === true ? { ...proposed, prove } : proposed;
  };
  return {
    rename: renameInTurn,
    extractMethod: (request, waiting) => service.exclusively(() => extractMethod(service, request, waiting)),
    extractVariable: (request, waiting) => service.exclusively(() => extractVariable(service, request, waiting)),
    inline: (target, options, waiting) => service.exclusively(() => inlineSymbol(service, target, options, waiting)),
    safeDelete: (target, options, waiting) => service.exclusively(() => safeDelete(service, target, options, waiting)),
    moveSymbol: (target, file, waiting) => service.exclusively(() => moveSymbol(service, target, file, waiting)),
    moveFile: (from, to, waiting) => service.exclusively(() => moveFile(service, from, to, waiting)),
    organizeImports: (path, waiting) => service.exclusively(() => organizeImports(service, path, waiting)),
    problems: async (files, waiting) => {
      const backend = new NativeBackend(workspace);
      await backend.open(files);
      return backend.problems(
        files.filter((file) => backend.hashOf(file) !== undefined),
        waiting,
      );
    },
    dispose: () => service.dispose(),
  };
}

/** Where a name in a comment points to (`{@link Name}`), the two servers do not agree: editors go by the classic one. */
async function isInDocumentation(workspace: CodeWorkspace, { path, position }: RefactorTarget): Promise<boolean> {
  const line = (await workspace.texts.tryGet(path))?.lineText(position.line) ?? '';
  const before = line.slice(0, position.column - 1);
  return /^\s*(?:\/\*\*|\*)/.test(before) && !before.includes('*/') && /[{@]/.test(before);
}
