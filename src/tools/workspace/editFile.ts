import { relative } from 'node:path';
import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/errors.ts';
import { replaceInFiles, type FileReplacements } from '../../engine/workspace/edits/fileEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool, type ToolCall } from '../defineTool.ts';
import type { Engines } from '../engines.ts';
import { problemDelta } from '../index/refactor/refactoringShape.ts';
import { afterEditShape, checkLines, checking, formatting } from './afterEdit.ts';

const editShape = { old_text: z.string(), new_text: z.string(), replace_all: z.boolean().optional() };

const input = z.object({
  file_path: z.string().optional(),
  old_text: editShape.old_text.optional(),
  new_text: editShape.new_text.optional(),
  replace_all: editShape.replace_all,
  edits: z
    .array(z.object({ file_path: z.string().optional(), ...editShape }))
    .min(1)
    .optional()
    .describe('several, in any files, made together or not at all'),
  version: z.string().optional(),
  ...afterEditShape,
});

export const editFile = defineTool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces exact text that must occur once in its file; with `edits`, several texts in one or more files as one change. Kept in local history.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  paths: { file_path: 'file', 'edits[].file_path': 'file' },
  input,
  output: z.object({
    file: z.string().optional(),
    version: z.string().optional(),
    files: z.array(z.object({ file: z.string(), version: z.string() })).optional(),
    ...changeFields,
    diagnostics: problemDelta,
  }),
  run: async (engines, args, call) => {
    const requests = requestsOf(engines, args, call);
    const paths = requests.map(({ path }) => path);
    call.affects(...paths);
    const names = paths.map((path) => relative(call.project.root, path));
    const origin = originOf(call, 'edit_file', `edit ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`);
    const { files, ...changed } = await checking(engines, call, paths, args.check, () =>
      replaceInFiles(engines.edits, call.project, requests, origin),
    );
    const [only] = files;
    return { ...(files.length === 1 ? only : { files }), ...changed };
  },
  render: (data) => {
    const files = data.files ?? [{ file: data.file ?? '', version: data.version ?? '' }];
    const names = files.map(({ file, version }) => `${file} (version ${version})`).join(', ');
    const [only] = files;
    const head =
      files.length === 1
        ? `Edited ${only?.file ?? ''} in ${counted(data.changesCount, 'place')} (version ${only?.version ?? ''})`
        : `Edited ${counted(files.length, 'file')} in ${counted(data.changesCount, 'place')}: ${names}`;
    return renderChange([head, ...checkLines(data.diagnostics)].join('\n'), data);
  },
});

/** What is asked for, file by file, in the order in which files are first named. */
function requestsOf(engines: Engines, args: z.output<typeof input>, call: ToolCall): FileReplacements[] {
  const { file_path, old_text, new_text, replace_all } = args;
  const single = old_text === undefined && new_text === undefined ? [] : [{ old_text, new_text, replace_all }];
  const byPath = new Map<string, FileReplacements & { replacements: FileReplacements['replacements'][number][] }>();
  for (const [index, edit] of [...single, ...(args.edits ?? [])].entries()) {
    const path = ('file_path' in edit ? edit.file_path : undefined) ?? file_path;
    if (path === undefined || edit.old_text === undefined || edit.new_text === undefined) throw incomplete();
    const known = byPath.get(path) ?? { path, replacements: [], finish: formatting(engines, call, path, args.format) };
    const { old_text: oldText, new_text: newText, replace_all: replaceAll } = edit;
    known.replacements.push({ oldText, newText, replaceAll, number: index + 1 });
    byPath.set(path, known);
  }
  const requests = [...byPath.values()];
  const [first] = requests;
  if (first === undefined) throw incomplete();
  if (args.version === undefined) return requests;
  if (requests.length > 1)
    throw new ToolError('invalid_arguments', 'A version is one file’s; this call edits several. Nothing was changed.', {
      hint: 'Leave version out, or edit that file in a call of its own.',
    });
  return [{ ...first, version: args.version }];
}

function incomplete(): ToolError {
  return new ToolError('invalid_arguments', 'An edit needs file_path, old_text and new_text. Nothing was changed.', {
    hint: 'Pass these three, or edits: [{file_path, old_text, new_text}, …].',
  });
}
