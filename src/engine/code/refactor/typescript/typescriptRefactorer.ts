import { ToolError } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/logger.ts';
import type { Project } from '../../../workspace/project.ts';
import type { LanguageRefactorer } from '../model.ts';
import { extractMethod, extractVariable } from './extract.ts';
import { inlineSymbol } from './inline.ts';
import { moveFile, moveSymbol } from './move.ts';
import { organizeImports } from './organizeImports.ts';
import { renameSymbol } from './rename.ts';
import { safeDelete } from './safeDelete.ts';
import { TypeScriptService } from './tsService.ts';

/** TypeScript and JavaScript, through the classic TypeScript server. */
export function typescriptRefactorer(project: Project, logger: Logger): LanguageRefactorer {
  const service = new TypeScriptService(project, logger);
  return {
    rename: (target, newName, options, waiting) => {
      if (options.comments) return notYet('strings and comments are left as they are');
      return service.exclusively(() => renameSymbol(service, target, newName, waiting));
    },
    extractMethod: (request, waiting) =>
      request.all
        ? notYet('only the selected occurrence is replaced')
        : service.exclusively(() => extractMethod(service, request, waiting)),
    extractVariable: (request, waiting) =>
      request.all
        ? notYet('only the selected occurrence is replaced')
        : service.exclusively(() => extractVariable(service, request, waiting)),
    inline: (target, options, waiting) => service.exclusively(() => inlineSymbol(service, target, options, waiting)),
    safeDelete: (target, options, waiting) => service.exclusively(() => safeDelete(service, target, options, waiting)),
    moveSymbol: (target, file, waiting) => service.exclusively(() => moveSymbol(service, target, file, waiting)),
    moveFile: (from, to, waiting) => service.exclusively(() => moveFile(service, from, to, waiting)),
    organizeImports: (path, waiting) => service.exclusively(() => organizeImports(service, path, waiting)),
    problems: (files, waiting) =>
      service.exclusively(async () => {
        await service.open(files);
        return service.problems(
          files.filter((file) => service.hashOf(file) !== undefined),
          waiting,
        );
      }),
    dispose: () => service.dispose(),
  };
}

function notYet(reason: string): Promise<never> {
  return Promise.reject(new ToolError('refactoring_not_available', `Not possible here: ${reason}.`));
}
