import { z } from 'zod';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { typeHierarchy } from '../../engine/code/queries/typeHierarchy.ts';
import type { TypeNode } from '../../engine/code/queries/requests/typeNode.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, noneWord, stateLine, targetOf, patientWaitingOf } from './address.ts';

interface TypeElement {
  name: string;
  file: string;
  line: number;
  kind: string;
  edge?: string | undefined;
  children?: TypeElement[] | undefined;
}

const typeElement: z.ZodType<TypeElement> = z.lazy(() =>
  z.object({
    name: z.string(),
    file: z.string(),
    line: z.number(),
    kind: z.string(),
    edge: z.string().optional(),
    children: z.array(typeElement).optional(),
  }),
);

export const ideTypeHierarchy = defineTool({
  name: 'ide_type_hierarchy',
  title: 'Type hierarchy',
  description: 'What a class or interface extends and implements, and what extends and implements it, all levels.',
  faces: ['index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({
    ...addressShape,
    direction: z.enum(['both', 'supertypes', 'subtypes']).optional(),
    depth: z.number().int().min(1).max(20).optional(),
  }),
  output: z.object({
    element: typeElement,
    supertypes: z.array(typeElement),
    subtypes: z.array(typeElement),
    truncated: z.boolean().optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const result = await typeHierarchy(
      workspace,
      target,
      { direction: args.direction ?? 'both', depth: args.depth ?? 5 },
      patientWaitingOf(call),
    );
    return {
      element: elementOf(workspace, result.element),
      supertypes: result.supertypes.map((node) => elementOf(workspace, node)),
      subtypes: result.subtypes.map((node) => elementOf(workspace, node)),
      ...(result.truncated ? { truncated: true } : {}),
      index: result.index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      `${data.element.kind} ${data.element.name} ${data.element.file}:${data.element.line}`,
      `supertypes:${data.supertypes.length === 0 ? ` ${noneWord(data.index)}` : ''}`,
      ...data.supertypes.flatMap((element) => lines(element, ' ')),
      `subtypes:${data.subtypes.length === 0 ? ` ${noneWord(data.index)}` : ''}`,
      ...data.subtypes.flatMap((element) => lines(element, ' ')),
      ...(data.truncated ? ['… more types left out: ask for less depth'] : []),
    ].join('\n'),
});

function elementOf(workspace: CodeWorkspace, node: TypeNode): TypeElement {
  return {
    name: node.name,
    file: workspace.shown(node.path),
    line: node.position.line,
    kind: node.kind,
    edge: node.edge,
    ...(node.children.length === 0 ? {} : { children: node.children.map((child) => elementOf(workspace, child)) }),
  };
}

function lines(element: TypeElement, indent: string): string[] {
  return [
    `${indent}${element.edge ?? element.kind} ${element.name} ${element.file}:${element.line}`,
    ...(element.children ?? []).flatMap((child) => lines(child, `${indent} `)),
  ];
}
