import { z } from 'zod';
import { completionsAt } from '../../engine/code/queries/completions.ts';
import { defineTool } from '../defineTool.ts';
import { counted } from '../../base/text/counted.ts';
import { indexState, patientWaitingOf } from './address.ts';

export const ideCodeCompletions = defineTool({
  name: 'ide_code_completions',
  title: 'Code completions',
  description:
    'What can stand at a position, best first, with types. insert_text asks as if that text were typed there ("order."); the file is not changed.',
  faces: ['index'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { file: 'file' },
  input: z.object({
    file: z.string(),
    line: z.number().int().min(1),
    column: z.number().int().min(1),
    insert_text: z.string().optional(),
    prefix: z.string().optional(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({
    completions: z.array(
      z.object({
        label: z.string(),
        kind: z.string(),
        detail: z.string().optional(),
        documentation: z.string().optional(),
        from: z.string().optional(),
        deprecated: z.boolean().optional(),
      }),
    ),
    totalCount: z.number(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const result = await completionsAt(
      engines.code.workspace(call.project),
      {
        path: args.file,
        position: { line: args.line, column: args.column },
        insertText: args.insert_text,
        prefix: args.prefix,
        limit: args.limit ?? 30,
        documented: 8,
      },
      patientWaitingOf(call),
    );
    return {
      completions: result.completions.map((item) => ({
        ...item,
        ...(item.documentation === undefined ? {} : { documentation: item.documentation.slice(0, 400) }),
      })),
      totalCount: result.total,
      index: result.index,
    };
  },
  render: (data) =>
    [
      `${counted(data.totalCount, 'completion')}${data.totalCount === 0 && data.index.detail !== undefined ? `: ${data.index.detail}` : ''}${data.completions.length < data.totalCount ? `, the first ${data.completions.length}` : ''}`,
      ...data.completions.map(
        (item) =>
          `${item.label} ${item.kind}${item.detail === undefined ? '' : ` ${oneLine(item.detail)}`}${item.from === undefined ? '' : ` (from ${item.from})`}${item.deprecated ? ' deprecated' : ''}`,
      ),
    ].join('\n'),
});

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 120);
}
