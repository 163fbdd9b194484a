import { ToolError } from '../../../../base/errors.ts';
import { assetPath } from '../../../../base/assets.ts';
import type { Project } from '../../../workspace/project.ts';
import type { Recorder } from '../../ask/recorder.ts';
import { whatToRun } from './whatToRun.ts';
import { recorderVariable } from '../../ask/model.ts';

/**
 * Python programs record themselves: a package of ours runs inside, with the project's own interpreter and nothing else. It uses
 * `sys.monitoring` from Python 3.12 on, and the trace function before.
 */
export function pythonRecorder(interpreter: (project: Project, runtime?: string) => Promise<string>): Recorder {
  return {
    command: async (spec, { project, ordersFile }) => {
      if (spec.command !== undefined)
        throw new ToolError('unsupported', 'A Python program is recorded as a program, a module or a test.');
      const program = { ...whatToRun(spec), args: spec.args };
      return {
        command: await interpreter(project, spec.runtime),
        args: [...(spec.runtimeArgs ?? []), assetPath('python/record.py')],
        env: { [recorderVariable]: ordersFile, SIGHTLINE_RECORDED: JSON.stringify(program) },
      };
    },
  };
}
