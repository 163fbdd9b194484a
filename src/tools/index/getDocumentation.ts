import { z } from 'zod';
import { findDefinition } from '../../engine/code/queries/definition.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

export const getDocumentation = defineTool({
  name: 'get_documentation',
  title: 'Get documentation',
  description: 'Signature and documentation of a symbol of the project or of a library.',
  faces: ['workspace'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({ ...addressShape }),
  output: z.object({
    symbol: z.string(),
    signature: z.string().optional(),
    documentation: z.string().optional(),
    file: z.string().optional(),
    line: z.number().optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const { signature, documentation, definitions, index } = await findDefinition(
      workspace,
      target,
      patientWaitingOf(call),
    );
    const [first] = definitions;
    return {
      symbol: target.name,
      signature,
      documentation,
      ...(first === undefined ? {} : { file: workspace.shown(first.path), line: first.position.line }),
      index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      data.signature ?? data.symbol,
      data.documentation ??
        (data.index.state === 'ready' ? 'It has no documentation.' : 'No documentation is known so far.'),
      ...(data.file === undefined ? [] : [`declared at ${data.file}:${data.line ?? 1}`]),
    ].join('\n'),
});
