import { z } from 'zod';
import { indexStatus } from '../../engine/code/indexStatus.ts';
import { defineTool } from '../defineTool.ts';

const indexStatusOutput = z.object({
  isDumbMode: z.boolean(),
  isIndexing: z.boolean(),
  state: z.string(),
  languages: z.array(
    z.object({
      language: z.string(),
      server: z.string(),
      version: z.string().optional(),
      state: z.string(),
      detail: z.string().optional(),
      running: z.boolean(),
      interpreter: z.object({ path: z.string(), version: z.string().optional(), why: z.string() }).optional(),
      openDocuments: z.number().optional(),
      memoryMb: z.number().optional(),
    }),
  ),
  watching: z.string(),
});

export const ideIndexStatus = defineTool({
  name: 'ide_index_status',
  title: 'Index status',
  description:
    'Which language servers run for the project, whether their index is complete, and how changes on disk are noticed.',
  faces: ['index'],
  toolset: 'project',
  effect: 'read',
  input: z.object({}),
  output: indexStatusOutput,
  run: (engines, _args, call) => indexStatus(engines.code.workspace(call.project), call.signal),
  render: (data) =>
    [
      `index ${data.state}; ${data.watching}`,
      ...data.languages.flatMap((item) => [
        `${item.language}: ${item.server}${item.version === undefined ? '' : ` ${item.version}`}, ${item.state}${item.detail === undefined ? '' : ` (${item.detail})`}${item.memoryMb === undefined ? '' : `, ${item.memoryMb} MB, ${item.openDocuments ?? 0} documents open`}`,
        ...(item.interpreter === undefined
          ? []
          : [` Python ${item.interpreter.version ?? ''} ${item.interpreter.path}: ${item.interpreter.why}`]),
      ]),
    ].join('\n'),
});
