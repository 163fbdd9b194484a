import { relative } from 'node:path';
import { z } from 'zod';
import { writeWholeFile } from '../../engine/workspace/edits/fileEdits.ts';
import { changeFields, originOf, renderChange } from '../changeSchema.ts';
import { defineTool } from '../defineTool.ts';
import { problemDelta } from '../index/refactor/refactoringShape.ts';
import { afterEditShape, checkLines, checking, formatting } from './afterEdit.ts';

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write file',
  description:
    'Writes a whole file, new or existing; kept in local history. Encoding, line ends and mode of an existing file stay.',
  faces: ['workspace'],
  toolset: 'editing',
  effect: 'edit',
  paths: { file_path: 'new' },
  input: z.object({
    file_path: z.string(),
    content: z.string(),
    version: z.string().optional().describe('refuse unless the file still has it'),
    ...afterEditShape,
  }),
  output: z.object({
    file: z.string(),
    created: z.boolean(),
    changed: z.boolean(),
    version: z.string(),
    ...changeFields,
    diagnostics: problemDelta,
  }),
  run: async (engines, args, call) => {
    call.affects(args.file_path);
    const { file_path: path, content, version } = args;
    const finish = formatting(engines, call, path, args.format);
    const origin = originOf(call, 'write_file', `write ${relative(call.project.root, path)}`);
    return checking(engines, call, [path], args.check, () =>
      writeWholeFile(engines.edits, call.project, { path, content, version, finish }, origin),
    );
  },
  render: (data) => {
    const verb = data.created ? 'Created' : data.changed ? 'Wrote' : 'Already so, nothing written:';
    const head = [`${verb} ${data.file} (version ${data.version})`, ...checkLines(data.diagnostics)].join('\n');
    return renderChange(head, {
      ...data,
      ...(data.created ? { diff: '', diffOmitted: undefined } : {}),
    });
  },
});
