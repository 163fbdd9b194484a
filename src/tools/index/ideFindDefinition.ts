import { z } from 'zod';
import { findDefinition } from '../../engine/code/queries/definition.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

const definition = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  preview: z.string(),
  symbolName: z.string(),
  kind: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  library: z.boolean().optional(),
});

export const ideFindDefinition = defineTool({
  name: 'ide_find_definition',
  title: 'Find definition',
  description:
    'Where a symbol is declared, with the whole declaration, its signature and documentation; works into libraries. type: true goes to the declaration of its type.',
  faces: ['default', 'index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({ ...addressShape, type: z.boolean().optional() }),
  output: definition.extend({
    signature: z.string().optional(),
    documentation: z.string().optional(),
    others: z.array(definition).optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const result = await findDefinition(workspace, target, {
      ...patientWaitingOf(call),
      of: args.type === true ? 'type' : 'symbol',
    });
    const [first, ...others] = result.definitions.map((item) => ({
      file: workspace.shown(item.path),
      line: item.position.line,
      column: item.position.column,
      preview: clipLines(item.source, item.isLibrary ? 60 : 200),
      symbolName: item.name,
      kind: item.kind,
      startLine: item.sourceRange.start.line,
      endLine: item.sourceRange.end.line,
      ...(item.isLibrary ? { library: true } : {}),
    }));
    return {
      ...(first ?? {
        file: workspace.shown(target.path),
        line: target.position.line,
        column: target.position.column,
        preview: '',
        symbolName: target.name,
        kind: 'unknown',
        startLine: target.position.line,
        endLine: target.position.line,
      }),
      signature: result.signature,
      documentation: result.documentation,
      ...(others.length === 0 ? {} : { others }),
      index: result.index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      `${data.file}:${data.line}:${data.column} ${data.kind} ${data.symbolName}${data.library ? ' (library)' : ''}`,
      ...(data.preview.includes(data.signature ?? '') ? [] : [data.signature ?? '']),
      numbered(data.preview, data.startLine),
      ...(data.others ?? []).flatMap((other) => [
        `also ${other.file}:${other.line}:${other.column}`,
        numbered(clipLines(other.preview, 12), other.startLine),
      ]),
    ].join('\n'),
});

function clipLines(text: string, maxLines: number): string {
  const lines = text.split(/\r?\n/);
  if (lines.length <= maxLines) return text;
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`].join('\n');
}

function numbered(text: string, startLine: number): string {
  return text
    .split(/\r?\n/)
    .map((line, index) => `${startLine + index} ${line}`)
    .join('\n');
}
