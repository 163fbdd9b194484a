import { join } from 'node:path';
import { z } from 'zod';
import { launchJsonPath } from '../../engine/workspace/runConfigs/launchJson.ts';
import { changeLaunchJson, withChangedEntry } from '../../engine/workspace/runConfigs/launchJsonEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { launchEntry, launchFields, launchPaths } from './launchEntry.ts';

export const editRunConfiguration = defineTool({
  name: 'edit_run_configuration',
  title: 'Edit run configuration',
  description: 'Changes fields of a configuration in .vscode/launch.json, keeping its comments; a person is asked.',
  faces: ['workspace'],
  toolset: 'run',
  effect: 'destructive',
  paths: launchPaths,
  input: z.object({
    name: z.string(),
    new_name: z.string().optional(),
    ...launchFields,
    remove: z.array(z.string()).optional().describe('fields of launch.json to take out'),
  }),
  output: z.object({ file: z.string(), name: z.string(), ...changeFields }),
  run: async (engines, args, call) => {
    const { name, new_name: newName = name, remove = [], ...fields } = args;
    const removed = Object.fromEntries(remove.map((field) => [field, undefined]));
    const changes = {
      ...removed,
      ...launchEntry(call.project.root, fields),
      ...(newName === name ? {} : { name: newName }),
    };
    call.affects(join(call.project.root, launchJsonPath));
    const origin = originOf(call, 'edit_run_configuration', `edit run configuration ${name}`);
    const change = (text: string | undefined) => withChangedEntry(text, name, changes);
    return { ...(await changeLaunchJson(engines.edits, call.project, change, origin)), name: newName };
  },
  render: (data) => renderChange(`Changed "${data.name}" in ${data.file}`, data),
});
