import { join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { launchJsonPath } from '../../engine/workspace/runConfigs/launchJson.ts';
import { changeLaunchJson, withNewEntry } from '../../engine/workspace/runConfigs/launchJsonEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { launchEntry, launchFields, launchPaths } from './launchEntry.ts';

export const createRunConfiguration = defineTool({
  name: 'create_run_configuration',
  title: 'Create run configuration',
  description:
    'Adds a configuration to .vscode/launch.json, keeping its comments. It runs programs later, so a person is asked.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'destructive',
  paths: launchPaths,
  input: z.object({ name: z.string().min(1), type: z.enum(['node', 'python', 'compound']), ...launchFields }),
  output: z.object({ file: z.string(), name: z.string(), ...changeFields }),
  run: async (engines, args, call) => {
    const { name, type, ...fields } = args;
    if ((type === 'compound') !== (fields.members !== undefined))
      throw new ToolError(
        'invalid_arguments',
        'A compound has members, which name other configurations; others have none.',
      );
    const kind = type === 'compound' ? {} : { type: type === 'python' ? 'debugpy' : type, request: 'launch' };
    const entry = { name, ...kind, ...launchEntry(call.project.root, fields) };
    call.affects(join(call.project.root, launchJsonPath));
    const origin = originOf(call, 'create_run_configuration', `create run configuration ${name}`);
    const change = (text: string | undefined) => withNewEntry(text, entry);
    return { ...(await changeLaunchJson(engines.edits, call.project, change, origin)), name };
  },
  render: (data) => renderChange(`Created "${data.name}" in ${data.file}`, data),
});
