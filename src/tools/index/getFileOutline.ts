import { z } from 'zod';
import { defineTool } from '../defineTool.ts';
import { outlineData, outlineOutput, renderOutline } from './outlineOutput.ts';

export const getFileOutline = defineTool({
  name: 'get_file_outline',
  title: 'File outline',
  description: 'The symbols declared in a file, nested, with line ranges and signatures.',
  faces: ['workspace'],
  toolset: 'navigation',
  effect: 'read',
  paths: { path: 'readable' },
  input: z.object({ path: z.string() }),
  output: outlineOutput,
  run: (engines, args, call) => outlineData(engines.code.workspace(call.project), args.path, 4, call),
  render: renderOutline,
});
