import { counted } from '../../base/text/counted.ts';
import { z } from 'zod';
import { inspectSymbol } from '../../engine/code/queries/inspect.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

export const ideInspectSymbol = defineTool({
  name: 'ide_inspect_symbol',
  title: 'Inspect symbol',
  description:
    'What a symbol is: kind, signature, documentation, container, modifiers, members, declaration, number of uses.',
  faces: ['index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({ ...addressShape }),
  output: z.object({
    name: z.string(),
    kind: z.string(),
    container: z.string().optional(),
    signature: z.string().optional(),
    documentation: z.string().optional(),
    modifiers: z.array(z.string()),
    file: z.string(),
    line: z.number(),
    column: z.number(),
    library: z.boolean().optional(),
    typeDefinition: z.object({ file: z.string(), line: z.number() }).optional(),
    usages: z.number().optional(),
    usageFiles: z.number(),
    possibleUsages: z.number().optional(),
    members: z.array(z.object({ name: z.string(), kind: z.string(), line: z.number() })).optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const info = await inspectSymbol(workspace, target, patientWaitingOf(call));
    return {
      name: info.name,
      kind: info.kind,
      container: info.container,
      signature: info.signature,
      documentation: info.documentation,
      modifiers: info.modifiers,
      file: workspace.shown(info.path),
      line: info.position.line,
      column: info.position.column,
      ...(info.isLibrary ? { library: true } : {}),
      ...(info.typePath === undefined || info.typePosition === undefined
        ? {}
        : { typeDefinition: { file: workspace.shown(info.typePath), line: info.typePosition.line } }),
      usages: info.usages,
      usageFiles: info.usageFiles,
      ...(info.possibleUsages === 0 ? {} : { possibleUsages: info.possibleUsages }),
      ...(info.members.length === 0 ? {} : { members: info.members.slice(0, 100) }),
      index: info.index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      `${[...data.modifiers, data.kind].join(' ')} ${data.container === undefined ? '' : `${data.container}/`}${data.name}`,
      ...(data.signature === undefined ? [] : [data.signature]),
      ...(data.documentation === undefined ? [] : [data.documentation]),
      `declared at ${data.file}:${data.line}${data.library ? ' (library)' : ''}; ${usesOf(data)}`,
      ...(data.typeDefinition === undefined
        ? []
        : [`its type: ${data.typeDefinition.file}:${data.typeDefinition.line}`]),
      ...(data.members === undefined ? [] : membersByKind(data.members)),
    ].join('\n'),
});

interface Uses {
  usages?: number | undefined;
  usageFiles: number;
  possibleUsages?: number | undefined;
}

function usesOf({ usages, usageFiles, possibleUsages }: Uses): string {
  if (usages === undefined)
    return 'its uses are unknown to the language server, ide_find_references looks for the name';
  const possible = possibleUsages === undefined ? '' : `, ${possibleUsages} more possible`;
  return `${counted(usages, 'use')} in ${counted(usageFiles, 'file')}${possible}`;
}

/** A line for each kind: `method: total 12, add 20`. */
function membersByKind(members: readonly { name: string; kind: string; line: number }[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const { name, kind, line } of members) kinds.set(kind, [...(kinds.get(kind) ?? []), `${name} ${line}`]);
  return [...kinds].map(([kind, names]) => `${kind}: ${names.join(', ')}`);
}
