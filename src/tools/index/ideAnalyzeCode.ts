import { z } from 'zod';
import { severities } from '../../engine/code/problems/problem.ts';
import { defineTool } from '../defineTool.ts';
import { waitingOf } from './address.ts';
import { analyse, problemsOutput, renderProblems } from './problemOutput.ts';

export const ideAnalyzeCode = defineTool({
  name: 'ide_analyze_code',
  title: 'Analyze code',
  description:
    'Errors and warnings of a file, some files, or the whole project (no file), as they are on disk now. since: a checkpoint of an earlier answer shows what appeared and vanished.',
  faces: ['default', 'index'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { file: 'file', files: 'file' },
  input: z.object({
    file: z.string().optional(),
    files: z.array(z.string()).optional(),
    severity: z.enum(severities).optional().describe('least severe shown; default warning'),
    since: z.string().optional(),
    offset: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  output: problemsOutput,
  run: (engines, args, call) =>
    analyse(
      engines.code.workspace(call.project),
      { ...args, files: [...(args.file === undefined ? [] : [args.file]), ...(args.files ?? [])] },
      waitingOf(call),
    ),
  render: renderProblems,
});
