import { counted } from '../../base/text/counted.ts';
import { z } from 'zod';
import { findImplementations } from '../../engine/code/queries/implementations.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

export const ideFindImplementations = defineTool({
  name: 'ide_find_implementations',
  title: 'Find implementations',
  description:
    'The classes that implement an interface or abstract class, or the methods that implement or override a method.',
  faces: ['default', 'index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({ ...addressShape }),
  output: z.object({
    implementations: z.array(
      z.object({
        name: z.string(),
        kind: z.string(),
        file: z.string(),
        line: z.number(),
        column: z.number(),
        context: z.string(),
      }),
    ),
    totalCount: z.number(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const { implementations, index } = await findImplementations(workspace, target, patientWaitingOf(call));
    return {
      implementations: implementations.slice(0, 200).map((item) => ({
        name: item.name,
        kind: item.kind,
        file: workspace.shown(item.path),
        line: item.position.line,
        column: item.position.column,
        context: item.context.slice(0, 160),
      })),
      totalCount: implementations.length,
      index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      counted(data.totalCount, 'implementation'),
      ...data.implementations.map((item) => `${item.file}:${item.line} ${item.kind} ${item.name}`),
    ].join('\n'),
});
