import { delimiter, join } from 'node:path';
import { isPythonFile } from '../../../base/languages/byPath.ts';
import { isInside } from '../../../base/paths.ts';
import type { Draft, LaunchPlan } from '../runConfigs/model.ts';
import { languageOfScratch } from './languages.ts';
import { listScratchFiles, scratchFolder } from './scratchFiles.ts';

/** What a scratch file needs to find the project's own modules: Node and Go look in the folders above a file, Python does not. */
export function scratchEnvironment(root: string, program: string, env: NodeJS.ProcessEnv): Record<string, string> {
  if (!isPythonFile(program) || !isInside(join(root, scratchFolder), program)) return {};
  const before = env['PYTHONPATH'];
  return { PYTHONPATH: before === undefined || before === '' ? root : `${root}${delimiter}${before}` };
}

/** The scratch files that can be run, by `scratch: NAME`. */
export async function scratchConfigurations(root: string, env: NodeJS.ProcessEnv): Promise<Draft[]> {
  return (await listScratchFiles(root)).flatMap((file) => {
    const language = languageOfScratch(file)?.runs;
    if (language === undefined) return [];
    const program = join(root, scratchFolder, file);
    const common: Omit<LaunchPlan, 'form'> = {
      kind: 'launch',
      language,
      args: [],
      cwd: root,
      env: scratchEnvironment(root, program, env),
      stopOnEntry: false,
      before: [],
    };
    const plan: LaunchPlan =
      language === 'shell'
        ? { ...common, form: 'command', command: ['/bin/sh', program] }
        : { ...common, form: 'program', program };
    return [
      {
        name: scratchRunName(file),
        type: 'Scratch file',
        typeId: 'scratch',
        source: scratchFolder,
        isTemporary: true,
        plan,
      },
    ];
  });
}

export function scratchRunName(file: string): string {
  return `scratch: ${file}`;
}
