import { counted } from '../../base/counted.ts';
import { relative } from 'node:path';
import { z } from 'zod';
import { replaceInFile } from '../../engine/workspace/edits/fileEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { writtenEffect } from '../writtenEffect.ts';

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description: 'Replaces exact text that must occur once in the file; kept in local history.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  effectOf: ({ file_path }, project) => writtenEffect(project, file_path),
  paths: { file_path: 'file' },
  input: z.object({
    file_path: z.string(),
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
    version: z.string().optional(),
  }),
  output: z.object({ file: z.string(), version: z.string(), ...changeFields }),
  run: async (engines, args, call) => {
    call.affects(args.file_path);
    const { file, version, affectedFiles, changesCount, diff, diffOmitted, historyId } = await replaceInFile(
      engines.edits,
      call.project,
      {
        path: args.file_path,
        replacements: [{ oldText: args.old_text, newText: args.new_text, replaceAll: args.replace_all }],
        version: args.version,
      },
      originOf(call, 'edit_file', `edit ${relative(call.project.root, args.file_path)}`),
    );
    return { file, version, affectedFiles, changesCount, diff, diffOmitted, historyId };
  },
  render: (data) =>
    renderChange(`Edited ${data.file} in ${counted(data.changesCount, 'place')} (version ${data.version})`, data),
});
