import { counted } from '../../base/counted.ts';
import { relative } from 'node:path';
import { z } from 'zod';
import { replaceInFile } from '../../engine/workspace/edits/fileEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { deltaLines, problemDelta } from '../index/refactor/refactoringShape.ts';
import { afterEditShape, checking, formatting } from './afterEdit.ts';

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description: 'Replaces exact text that must occur once in the file; kept in local history.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  paths: { file_path: 'file' },
  input: z.object({
    file_path: z.string(),
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
    version: z.string().optional(),
    ...afterEditShape,
  }),
  output: z.object({ file: z.string(), version: z.string(), ...changeFields, diagnostics: problemDelta }),
  run: async (engines, args, call) => {
    call.affects(args.file_path);
    const { file_path: path, old_text: oldText, new_text: newText, replace_all: replaceAll } = args;
    const finish = formatting(engines, call, path, args.format);
    const request = { path, replacements: [{ oldText, newText, replaceAll }], version: args.version, finish };
    const origin = originOf(call, 'edit_file', `edit ${relative(call.project.root, path)}`);
    const {
      created: _always,
      changed: _told,
      ...edited
    } = await checking(engines, call, path, args.check, () =>
      replaceInFile(engines.edits, call.project, request, origin),
    );
    return edited;
  },
  render: (data) =>
    renderChange(
      [
        `Edited ${data.file} in ${counted(data.changesCount, 'place')} (version ${data.version})`,
        ...deltaLines(data.diagnostics),
      ].join('\n'),
      data,
    ),
});
