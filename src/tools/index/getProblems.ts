import { z } from 'zod';
import { severities } from '../../engine/code/problems/problem.ts';
import { defineTool } from '../defineTool.ts';
import { waitingOf } from './address.ts';
import { analyse, problemsOutput, renderProblems } from './problemOutput.ts';

export const getProblems = defineTool({
  name: 'get_problems',
  title: 'Get problems',
  description:
    'Errors and warnings of a file, or of the whole project without path, as they are on disk now. since shows what changed.',
  faces: ['workspace'],
  toolset: 'diagnostics',
  effect: 'read',
  paths: { path: 'file' },
  input: z.object({
    path: z.string().optional(),
    severity: z.enum(severities).optional(),
    since: z.string().optional().describe('checkpoint of an earlier answer'),
    offset: z.number().int().min(0).optional(),
  }),
  output: problemsOutput,
  run: (engines, args, call) =>
    analyse(
      engines.code.workspace(call.project),
      { ...args, files: args.path === undefined ? [] : [args.path] },
      waitingOf(call),
    ),
  render: renderProblems,
});
