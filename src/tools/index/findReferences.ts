import { z } from 'zod';
import { findReferences as references } from '../../engine/code/queries/references.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, targetOf, patientWaitingOf } from './address.ts';
import { referencesData, referencesOutput, renderReferences } from './ideFindReferences.ts';

export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find references',
  description: 'Every use of a symbol, by meaning and not by text, with exact totals and counts per file.',
  faces: ['workspace'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({
    ...addressShape,
    file_pattern: z.string().optional().describe('glob filter'),
    offset: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  output: referencesOutput,
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const result = await references(
      workspace,
      { target, pathGlob: args.file_pattern, offset: args.offset, limit: args.limit ?? 25 },
      patientWaitingOf(call),
    );
    return referencesData(workspace, result);
  },
  render: renderReferences,
});
