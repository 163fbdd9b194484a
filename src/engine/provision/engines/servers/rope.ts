import { readdir } from 'node:fs/promises';
import { ToolError } from '../../../../base/errors.ts';
import { pipInstall } from '../../installers/pip.ts';
import type { EngineDeclaration } from '../../model.ts';
import { failureOf } from '../../probes.ts';
import { inCache } from '../../programs.ts';

/** A library: its folder goes on the path of the interpreter that runs our refactoring script. */
export const rope: EngineDeclaration = {
  id: 'rope',
  title: 'rope',
  role: 'refactoring',
  languages: ['python'],
  find: [inCache('.')],
  start: () => [],
  probe: async (folder) => {
    const names = await readdir(folder);
    const version = names.map((name) => /^rope-(.*)\.dist-info$/.exec(name)?.[1]).find((each) => each !== undefined);
    if (version === undefined) throw new ToolError('engine_failed', `${folder} holds no rope.`);
    return version;
  },
  verify: async (folder, context) => {
    const interpreter = await context.locate('python');
    if (!interpreter.found) throw new ToolError('engine_failed', interpreter.reason);
    const code = 'import rope.refactor.extract, rope.refactor.inline, rope.refactor.move, rope.refactor.rename';
    const result = await context.run([interpreter.path, '-c', code], {
      cwd: folder,
      env: { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    });
    if (result.code !== 0) throw new ToolError('engine_failed', `rope does not load: ${failureOf(result)}`);
  },
  install: pipInstall({ name: 'rope', version: '1.15.0', entry: 'rope/__init__.py', dependencies: true }),
};
