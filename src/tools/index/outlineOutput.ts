import { z } from 'zod';
import { counted } from '../../base/text/counted.ts';
import type { CodeWorkspace } from '../../engine/code/codeWorkspace.ts';
import { fileOutline } from '../../engine/code/queries/fileOutline.ts';
import type { OutlineSymbol } from '../../engine/code/model.ts';
import type { ToolCall } from '../defineTool.ts';
import { indexState, patientWaitingOf, stateLine } from './address.ts';

interface OutlineItem {
  name: string;
  kind: string;
  line: number;
  endLine: number;
  signature?: string | undefined;
  children?: OutlineItem[] | undefined;
}

const outlineItem: z.ZodType<OutlineItem> = z.lazy(() =>
  z.object({
    name: z.string(),
    kind: z.string(),
    line: z.number(),
    endLine: z.number(),
    signature: z.string().optional(),
    children: z.array(outlineItem).optional(),
  }),
);

export const outlineOutput = z.object({
  file: z.string(),
  lines: z.number(),
  symbols: z.array(outlineItem),
  textual: z.boolean().optional(),
  index: indexState,
});

/** The one answer about the structure of a file, for both tools that give it. */
export async function outlineData(
  workspace: CodeWorkspace,
  path: string,
  depth: number,
  call: ToolCall,
): Promise<z.input<typeof outlineOutput>> {
  const { symbols, lineCount, signatureOf, textual, index } = await fileOutline(
    workspace,
    path,
    patientWaitingOf(call),
  );
  const item = (symbol: OutlineSymbol, level: number): OutlineItem => {
    // What only groups is no level of its own: the members of a class in two namespaces are worth as much.
    const next = /^(namespace|module|element)$/.test(symbol.kind) ? level : level + 1;
    const children = next <= depth ? symbol.children.map((child) => item(child, next)) : [];
    const signature = signatureOf(symbol);
    return {
      name: symbol.name,
      kind: symbol.kind,
      line: symbol.range.start.line,
      endLine: symbol.range.end.line,
      ...(signature === '' ? {} : { signature }),
      ...(children.length === 0 ? {} : { children }),
    };
  };
  return {
    file: workspace.shown(path),
    lines: lineCount,
    symbols: symbols.map((symbol) => item(symbol, 1)),
    ...(textual ? { textual } : {}),
    index,
  };
}

export function renderOutline(data: z.output<typeof outlineOutput>): string {
  const lines = (item: OutlineItem, indent: string): string[] => [
    `${indent}${item.line}${item.endLine === item.line ? '' : `-${item.endLine}`} ${item.signature ?? `${item.kind} ${item.name}`}`,
    ...(item.children ?? []).flatMap((child) => lines(child, `${indent} `)),
  ];
  return [
    ...stateLine(data.index),
    `${data.file} (${counted(data.lines, 'line')}${data.textual ? ', textual outline' : ''})`,
    ...data.symbols.flatMap((item) => lines(item, '')),
  ].join('\n');
}
