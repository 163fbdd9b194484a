import { z } from 'zod';
import { findSymbols } from '../../engine/code/queries/findSymbols.ts';
import { defineTool } from '../defineTool.ts';
import { indexState, stateLine, patientWaitingOf } from './address.ts';

export const searchSymbols = defineTool({
  name: 'search_symbols',
  title: 'Search symbols',
  description:
    'Classes, functions, methods and other declarations by name or part of it, best matches first, each with a handle for other tools.',
  faces: ['default', 'workspace'],
  toolset: 'navigation',
  effect: 'read',
  input: z.object({
    query: z.string().min(1),
    type: z.string().optional().describe('class, function, method, interface, ...'),
    libraries: z.boolean().optional(),
    limit: z.number().int().min(1).max(200).optional(),
  }),
  output: z.object({
    symbols: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        container: z.string().optional(),
        file: z.string(),
        line: z.number(),
        handle: z.string(),
      }),
    ),
    totalCount: z.number(),
    textual: z.boolean().optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const found = await findSymbols(
      workspace,
      {
        query: args.query,
        kinds: args.type === undefined ? [] : [args.type],
        libraries: args.libraries,
        limit: args.limit ?? 30,
      },
      patientWaitingOf(call),
    );
    return {
      symbols: found.symbols.map((symbol) => ({
        name: symbol.name,
        type: symbol.kind,
        container: symbol.container,
        file: workspace.shown(symbol.path),
        line: symbol.position.line,
        handle: `${workspace.shown(symbol.path)}:${symbol.position.line}:${symbol.position.column}`,
      })),
      totalCount: found.total,
      ...(found.textual ? { textual: true } : {}),
      index: found.index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      ...(data.symbols.length === 0
        ? // Only a complete index knows that there is none.
          [data.index.state === 'ready' ? 'No symbol has such a name.' : 'No symbol of such a name is known so far.']
        : []),
      ...data.symbols.map(
        (symbol) =>
          `${symbol.handle} ${symbol.type} ${symbol.container === undefined ? '' : `${symbol.container}/`}${symbol.name}`,
      ),
      ...(data.symbols.length < data.totalCount ? [`… ${data.totalCount - data.symbols.length} more`] : []),
    ].join('\n'),
});
