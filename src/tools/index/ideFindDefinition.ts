import { z } from 'zod';
import type { Definition } from '../../engine/code/queries/requests/declaration.ts';
import { findDefinition } from '../../engine/code/queries/definition.ts';
import { defineTool } from '../defineTool.ts';
import { numberedLine, type Overlay, overlayNotes, overlayOf, overlayParameter, overlayShape } from '../overlay.ts';
import { addressShape, indexState, stateLine, targetOf, patientWaitingOf } from './address.ts';

const definition = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  preview: z.string(),
  symbolName: z.string(),
  kind: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  library: z.boolean().optional(),
});

const otherDefinition = definition.extend({ implementation: z.boolean().optional(), via: z.string().optional() });

export const ideFindDefinition = defineTool({
  name: 'ide_find_definition',
  title: 'Find definition',
  description:
    'Where a symbol is declared, with the whole declaration, signature and documentation; in libraries also the code. type: true: that of its type.',
  faces: ['default', 'index'],
  toolset: 'navigation',
  effect: 'read',
  rare: ['overlay'],
  paths: { file: 'readable' },
  input: z.object({ ...addressShape, type: z.boolean().optional(), overlay: overlayParameter }),
  output: definition.extend({
    signature: z.string().optional(),
    documentation: z.string().optional(),
    others: z.array(otherDefinition).optional(),
    overlay: overlayShape.optional(),
    index: indexState,
  }),
  async run(engines, args, call) {
    const workspace = engines.code.workspace(call.project);
    const target = await targetOf(workspace, args, call, patientWaitingOf(call));
    const result = await findDefinition(workspace, target, {
      ...patientWaitingOf(call),
      of: args.type === true ? 'type' : 'symbol',
    });
    const isDocumented = /^\s*\/\*\*/.test(result.definitions[0]?.source ?? '');
    const [first, ...others] = result.definitions.map((found) => {
      const item = found.isImplementation === true && isDocumented ? withoutDocumentation(found) : found;
      return {
        file: workspace.shown(item.path),
        line: item.position.line,
        column: item.position.column,
        preview: previewOf(item),
        symbolName: item.name,
        kind: item.kind,
        startLine: item.sourceRange.start.line,
        endLine: item.sourceRange.end.line,
        ...(item.isLibrary ? { library: true } : {}),
        ...(item.isImplementation ? { implementation: true } : {}),
        ...(item.compiled === undefined ? {} : { via: viaOf(item, workspace.shown(item.compiled.path)) }),
      };
    });
    const path = result.definitions[0]?.path;
    const overlay =
      args.overlay === true && first !== undefined && path !== undefined
        ? { overlay: overlayOf(engines, call, path, first) }
        : {};
    return {
      ...overlay,
      ...(first ?? {
        file: workspace.shown(target.path),
        line: target.position.line,
        column: target.position.column,
        preview: '',
        symbolName: target.name,
        kind: 'unknown',
        startLine: target.position.line,
        endLine: target.position.line,
      }),
      signature: result.signature,
      documentation: result.documentation,
      ...(others.length === 0 ? {} : { others }),
      index: result.index,
    };
  },
  render: (data) =>
    [
      ...stateLine(data.index),
      `${data.file}:${data.line}:${data.column} ${data.kind} ${data.symbolName}${data.library ? ' (library)' : ''}`,
      ...(data.preview.includes(data.signature ?? '') ? [] : [data.signature ?? '']),
      numbered(data, maxWholeLines, data.overlay?.ran),
      ...(data.overlay === undefined ? [] : overlayNotes(data.overlay)),
      ...otherLines(data.others ?? []),
    ].join('\n'),
});

/** The code whole; of several declarations two, and where the others are. */
function otherLines(others: readonly z.output<typeof otherDefinition>[]): string[] {
  const [shown, rest] = [others.filter(isShown), others.filter((other, index) => !isShown(other, index))];
  const files = new Map<string, number[]>();
  for (const { file, line } of rest) files.set(file, [...(files.get(file) ?? []), line]);
  return [
    ...shown.flatMap((other) => [
      `${other.implementation ? 'implementation' : 'also'} ${other.file}:${other.line}:${other.column}${other.via === undefined ? '' : ` (${other.via})`}`,
      numbered(other, other.implementation ? maxWholeLines : 12),
    ]),
    ...[...files].map(([file, lines]) => `and ${file}:${lines.toSorted((a, b) => a - b).join(', ')}`),
  ];
}

function isShown({ implementation }: z.output<typeof otherDefinition>, index: number): boolean {
  return implementation === true || index < 2;
}

/** Says that a source was found by a map, and whether there is such a file to read. */
function viaOf({ compiled, isOnlyInMap }: Definition, file: string): string {
  const from = `the source map of ${file}:${compiled?.position.line ?? 1}`;
  return isOnlyInMap ? `text from ${from}; no such file` : `by ${from}`;
}

/** What is said once, at the declaration, need not be said again at the code. */
function withoutDocumentation(item: Definition): Definition {
  const comment = /^\s*\/\*\*[\s\S]*?\*\/[ \t]*\r?\n/.exec(item.source)?.[0];
  if (comment === undefined) return item;
  const { start, end } = item.sourceRange;
  const line = start.line + comment.split('\n').length - 1;
  return { ...item, source: item.source.slice(comment.length), sourceRange: { start: { line, column: 1 }, end } };
}

/** Longer declarations are told by their beginning and the lines of their members. */
const maxWholeLines = 80;
const maxMembers = 60;

/** The declaration as it stands; of a long one numbered lines, because they do not follow one another. */
function previewOf(item: Definition): string {
  const { start, end } = item.sourceRange;
  const lines = item.source.split(/\r\n|\n|\r/);
  if (lines.length <= maxWholeLines) return item.source;
  const line = (number: number) => `${number} ${lines[number - start.line] ?? ''}`;
  const members = [...new Set(item.memberLines ?? [])].filter((number) => number <= end.line).sort((a, b) => a - b);
  const head = Math.max(item.position.line, start.line);
  const shown =
    members.length > 1
      ? [head, ...members.filter((number) => number > head).slice(0, maxMembers)]
      : lines.slice(0, maxWholeLines / 2).map((_text, index) => start.line + index);
  const what =
    members.length > 1 ? `${Math.min(members.length, maxMembers)} of ${members.length} members` : 'the beginning';
  return [...shown.map(line), `… ${what} of ${lines.length} lines; read_file has lines ${start.line}-${end.line}`].join(
    '\n',
  );
}

function numbered(
  { preview, startLine, endLine }: z.output<typeof definition>,
  maxLines = maxWholeLines,
  ran?: Overlay['ran'],
): string {
  const lines = preview.split(/\r\n|\n|\r/);
  const isWhole = lines.length === endLine - startLine + 1;
  const shown = isWhole
    ? lines.map((text, index) =>
        ran === undefined ? `${startLine + index} ${text}` : numberedLine(startLine + index, text, ran),
      )
    : lines;
  const rest = shown.length - maxLines;
  return [...shown.slice(0, maxLines), ...(rest > 0 ? [`… ${rest} more lines`] : [])].join('\n');
}
