import { z } from 'zod';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { callHierarchy, type CallNode } from '../../engine/code/queries/callHierarchy.ts';
import { defineTool } from '../defineTool.ts';
import { addressShape, indexState, noneWord, stateLine, targetOf, patientWaitingOf } from './address.ts';
import { possibleLines, possiblePlaces } from './referenceText.ts';

interface CallElement {
  name: string;
  file: string;
  line: number;
  /** Lines of the calls, in the caller's file. */
  callLines?: number[] | undefined;
  cycle?: boolean | undefined;
  children?: CallElement[] | undefined;
}

const callElement: z.ZodType<CallElement> = z.lazy(() =>
  z.object({
    name: z.string(),
    file: z.string(),
    line: z.number(),
    callLines: z.array(z.number()).optional(),
    cycle: z.boolean().optional(),
    children: z.array(callElement).optional(),
  }),
);

export const ideCallHierarchy = defineTool({
  name: 'ide_call_hierarchy',
  title: 'Call hierarchy',
  description: 'Who calls a function (callers, the default) or what it calls (callees), with levels and lines.',
  faces: ['default', 'index'],
  toolset: 'navigation',
  effect: 'read',
  paths: { file: 'readable' },
  input: z.object({
    ...addressShape,
    direction: z.enum(['callers', 'callees']).optional(),
    depth: z.number().int().min(1).max(10).optional(),
  }),
  output: z.object({
    element: callElement,
    direction: z.string(),
    calls: z.array(callElement),
    truncated: z.boolean().optional(),
    possible: z.array(z.string()).optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const direction = args.direction ?? 'callers';
    const { root, index, truncated, possible } = await callHierarchy(
      workspace,
      target,
      { direction, depth: args.depth ?? 2 },
      patientWaitingOf(call),
    );
    const { children = [], ...element } = elementOf(workspace, root);
    const places = possible.map(({ path, position: { line }, context, doubt }) => ({
      file: workspace.shown(path),
      line,
      context,
      doubt,
    }));
    return {
      element,
      direction,
      calls: children,
      ...(truncated ? { truncated } : {}),
      ...(places.length === 0 ? {} : { possible: possiblePlaces(places, target.name) }),
      index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      `${data.direction} of ${data.element.name} (${data.element.file}:${data.element.line})${data.calls.length === 0 ? `: ${noneWord(data.index)}` : ''}`,
      ...data.calls.flatMap((element) => lines(element, ' ')),
      ...(data.truncated ? ['… more calls left out: ask for less depth'] : []),
      ...possibleLines(data.possible),
    ].join('\n'),
});

function elementOf(workspace: CodeWorkspace, node: CallNode): CallElement {
  return {
    name: node.name,
    file: workspace.shown(node.path),
    line: node.position.line,
    ...(node.sites.length === 0 ? {} : { callLines: [...new Set(node.sites.map((site) => site.line))] }),
    ...(node.isCycle ? { cycle: true } : {}),
    ...(node.children.length === 0 ? {} : { children: node.children.map((child) => elementOf(workspace, child)) }),
  };
}

function lines(element: CallElement, indent: string): string[] {
  const calls = element.callLines === undefined ? '' : ` calls at ${element.callLines.join(', ')}`;
  return [
    `${indent}${element.name} ${element.file}:${element.line}${calls}${element.cycle ? ' (recursion)' : ''}`,
    ...(element.children ?? []).flatMap((child) => lines(child, `${indent} `)),
  ];
}
