import { isInside } from '../../base/paths.ts';
import { isExecutableConfig } from '../workspace/executableConfig.ts';
import { list, record, text, type Loose } from './loose.ts';
import type { Verdict } from './model.ts';

export interface JudgedEffect {
  effect: Verdict['effect'];
  why: string;
}

const effects: Readonly<Record<string, Verdict['effect']>> = {
  read: 'read',
  search: 'read',
  think: 'read',
  switch_mode: 'read',
  edit: 'edit',
  move: 'edit',
  delete: 'destructive',
  execute: 'execute',
  fetch: 'execute',
};

/** What a tool call that an agent asks permission for would do, by its kind and the files that it names. */
export function effectOfCall(call: Loose, root: string): JudgedEffect {
  const kind = text(call['kind']) ?? 'other';
  const effect = effects[kind] ?? 'execute';
  const named = [
    ...list(call['locations']),
    ...list(call['content']).filter((each) => record(each)['type'] === 'diff'),
  ];
  const paths = named.flatMap((each) => text(record(each)['path']) ?? []);
  if (effect === 'edit') {
    const outside = paths.find((path) => !isInside(root, path));
    if (outside !== undefined) return { effect: 'destructive', why: `${outside} is outside the project` };
    const executed = paths.find((path) => isExecutableConfig(path, root));
    if (executed !== undefined) return { effect: 'destructive', why: `${executed} is configuration that is executed` };
  }
  return { effect, why: `a tool call of kind ${kind}` };
}

/** The tool of ours that a call is for, as agents name those of MCP servers; strict, because a title may hold what a model wrote. */
export function ownToolName(call: Loose): string | undefined {
  const kind = text(call['kind']) ?? 'other';
  if (kind !== 'other' && kind !== 'read' && kind !== 'search' && kind !== 'fetch') return undefined;
  for (const words of [text(call['name']), text(call['title'])]) {
    const match = /^(?:mcp(?:__?|\.))?sightline(?:__|[-_.:/ ])(\w+)$|^(\w+) \(sightline MCP Server\)(?:: \{.*)?$/s.exec(
      words?.trim() ?? '',
    );
    const name = match?.[1] ?? match?.[2];
    if (name !== undefined) return name;
  }
  return undefined;
}
