import { counted } from '../../base/text/counted.ts';
import { z } from 'zod';
import { findReferences, type ReferencesResult } from '../../engine/code/queries/references.ts';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { referenceKinds, type ReferenceKind } from '../../engine/code/syntax/classify.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';
import { fileCountLines, possibleLines, possiblePlaces, titled, usageLines } from './referenceText.ts';

/** The seeds name the kinds of usages in capitals. */
const usageTypes: Record<ReferenceKind, string> = {
  declaration: 'DECLARATION',
  import: 'IMPORT',
  call: 'METHOD_CALL',
  write: 'WRITE',
  read: 'REFERENCE',
  type: 'TYPE_USE',
  inheritance: 'INHERITANCE',
  doc: 'DOCUMENTATION',
};

export const referencesOutput = z.object({
  usages: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      column: z.number(),
      context: z.string(),
      type: z.string(),
      enclosing: z.string().optional(),
      test: z.boolean().optional(),
    }),
  ),
  totalCount: z.number(),
  symbol: z.object({ name: z.string(), kind: z.string(), file: z.string(), line: z.number() }),
  files: z.array(z.object({ file: z.string(), count: z.number() })),
  nextOffset: z.number().optional(),
  /** Places of that name that were not resolved to anything else, `file:line text`: not counted above. */
  possible: z.array(z.string()).optional(),
  /** How many there are, those that were not looked at included. Absent: the list of usages is complete. */
  possibleCount: z.number().optional(),
  overrides: z.array(z.string()).optional(),
  index: indexState,
});

export const ideFindReferences = defineTool({
  name: 'ide_find_references',
  title: 'Find references',
  description: 'Every use of a symbol by meaning: counts per file, kind, enclosing symbol. Says what else may be one.',
  faces: ['default', 'index'],
  alwaysLoad: true,
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({
    ...addressShape,
    kinds: z.array(z.enum(referenceKinds)).optional(),
    path: z.string().optional().describe('glob filter'),
    offset: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(500).optional(),
  }),
  output: referencesOutput,
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const result = await findReferences(
      workspace,
      { target, kinds: args.kinds, pathGlob: args.path, offset: args.offset, limit: args.limit ?? 25 },
      patientWaitingOf(call),
    );
    return referencesData(workspace, result);
  },
  render: renderReferences,
});

export function referencesData(workspace: CodeWorkspace, result: ReferencesResult): z.input<typeof referencesOutput> {
  const end = result.offset + result.references.length;
  return {
    usages: result.references.map((reference) => ({
      file: workspace.shown(reference.path),
      line: reference.position.line,
      column: reference.position.column,
      context: reference.context.slice(0, 200),
      type: usageTypes[reference.kind],
      enclosing: reference.enclosing,
      ...(reference.isTest ? { test: true } : {}),
    })),
    totalCount: result.total,
    symbol: {
      name: result.symbol.name,
      kind: result.symbol.kind,
      file: workspace.shown(result.symbol.path),
      line: result.symbol.position.line,
    },
    files: result.files.map((file) => ({ file: workspace.shown(file.path), count: file.count })),
    ...(end < result.total ? { nextOffset: end } : {}),
    ...possibleData(workspace, result),
    index: result.index,
  };
}

export function renderReferences(data: z.output<typeof referencesOutput>): string {
  const { symbol, totalCount, usages } = data;
  const more = data.possibleCount === undefined ? '' : `, and ${data.possibleCount} possible (below)`;
  const head = `${counted(totalCount, 'reference')} to ${symbol.kind} ${symbol.name} in ${counted(data.files.length, 'file')}${more}`;
  if (data.nextOffset === undefined && usages.length === totalCount)
    return [...stateLine(data.index), head, ...usageLines(usages, symbol.name), ...notCounted(data)].join('\n');
  return [
    ...stateLine(data.index),
    `${head}:`,
    ...fileCountLines(data.files),
    `${usages.length} of ${totalCount}${data.nextOffset === undefined ? '' : ` (next: offset ${data.nextOffset})`}:`,
    ...usageLines(usages, symbol.name),
    ...notCounted(data),
  ].join('\n');
}

const maxOverridesShown = 10;

function possibleData(
  workspace: CodeWorkspace,
  { possible, unchecked, overrides, offset, symbol }: ReferencesResult,
): Pick<z.input<typeof referencesOutput>, 'possible' | 'possibleCount' | 'overrides'> {
  if (offset > 0) return {};
  const shown = possible.map(({ path, position, context, doubt }) => ({
    file: workspace.shown(path),
    line: position.line,
    context,
    doubt,
  }));
  const places = possiblePlaces(shown, symbol.name, unchecked);
  const count = possible.length + unchecked;
  const anew = overrides
    .slice(0, maxOverridesShown)
    .map(({ holder, path, position }) => `${workspace.shown(path)}:${position.line}:${position.column} ${holder}`);
  return {
    ...(count === 0 ? {} : { possible: places, possibleCount: count }),
    ...(anew.length === 0 ? {} : { overrides: anew }),
  };
}

function notCounted({ possible, overrides, symbol }: z.output<typeof referencesOutput>): string[] {
  return [...possibleLines(possible), ...titled(`not counted, classes with their own ${symbol.name}:`, overrides)];
}
