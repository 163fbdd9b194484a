import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { outlineData, outlineOutput, renderOutline } from './outlineOutput.ts';

export const ideFileStructure = defineTool({
  name: 'ide_file_structure',
  title: 'File structure',
  description:
    'The symbols declared in a file, nested, with line ranges and signatures: what to read before reading the file.',
  faces: ['default', 'index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({ file: z.string(), depth: z.number().int().min(1).max(10).optional() }),
  output: outlineOutput,
  run: (engines, args, call) => outlineData(engines.code.workspace(call.project), args.file, args.depth ?? 3, call),
  render: renderOutline,
});
