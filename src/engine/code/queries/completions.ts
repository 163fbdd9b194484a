import type { CompletionItem, CompletionList, MarkupContent } from 'vscode-languageserver-protocol';
import { ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import { LineIndex, type Position } from '../../../base/positions.ts';
import { toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnownOf } from '../answerOrFallback.ts';
import { completionsByText } from './fallback/byText.ts';

export interface CompletionQuery {
  path: string;
  position: Position;
  /** Text put in at the position first, as if it were typed; the completion is asked for at its end. Nothing is written. */
  insertText?: string;
  /** Only labels that begin with this. Default: the part of a name before the position. */
  prefix?: string;
  limit: number;
  /** How many of the best get their documentation. */
  documented?: number;
}

interface Completion {
  label: string;
  kind: string;
  detail?: string;
  documentation?: string;
  /** It comes with an import of this module. */
  from?: string;
  deprecated?: boolean;
}

export interface CompletionResult {
  completions: Completion[];
  total: number;
  isIncomplete: boolean;
  index: IndexState;
}

const kindNames = [
  'text',
  'method',
  'function',
  'constructor',
  'field',
  'variable',
  'class',
  'interface',
  'module',
  'property',
  'unit',
  'value',
  'enum',
  'keyword',
  'snippet',
  'color',
  'file',
  'reference',
  'folder',
  'enum member',
  'constant',
  'struct',
  'event',
  'operator',
  'type parameter',
];

/** What could stand at a position, best first. */
export function completionsAt(
  workspace: CodeWorkspace,
  query: CompletionQuery,
  waiting: Waiting = {},
): Promise<CompletionResult> {
  return answerOrKnownOf(
    workspace,
    query.path,
    waiting,
    () => servedCompletions(workspace, query, waiting.signal),
    (index) => completionsByText(workspace, query, index),
  );
}

async function servedCompletions(
  workspace: CodeWorkspace,
  query: CompletionQuery,
  signal: AbortSignal | undefined,
): Promise<CompletionResult> {
  const server = await workspace.requireServer(query.path);
  const text = await server.documents.open(query.path);
  if (query.position.line > text.lineCount)
    throw new ToolError('invalid_arguments', `${workspace.shown(query.path)} has ${text.lineCount} lines.`);
  if (query.insertText === undefined) return ask(server, query, text, query.position, signal);
  const offset = text.offsetAt(query.position);
  // At the beginning of a line, text is typed on a line of its own; what follows must not run into it.
  const lineBefore = text.lineText(query.position.line)?.slice(0, query.position.column - 1) ?? '';
  const lineEnd = lineBefore.trim() === '' ? '\n' : '';
  const edited = new LineIndex(text.text.slice(0, offset) + query.insertText + lineEnd + text.text.slice(offset));
  const position = edited.positionAt(offset + query.insertText.length);
  return server.documents.withText(query.path, edited, () => ask(server, query, edited, position, signal));
}

async function ask(
  server: LanguageServer,
  query: CompletionQuery,
  text: LineIndex,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<CompletionResult> {
  const options = signal === undefined ? {} : { signal };
  const answer = await server.request<CompletionItem[] | CompletionList | null>(
    'textDocument/completion',
    { textDocument: { uri: pathToUri(query.path) }, position: toWirePosition(position), context: { triggerKind: 1 } },
    options,
  );
  const list = Array.isArray(answer)
    ? { items: answer, isIncomplete: false }
    : (answer ?? { items: [], isIncomplete: false });
  const line = text.lineText(position.line)?.slice(0, position.column - 1) ?? '';
  const prefix = query.prefix ?? /[\p{ID_Continue}$]*$/u.exec(line)?.[0] ?? '';
  const matching = distinct(list.items)
    .filter((item) => matches(item, prefix))
    .sort((a, b) => rank(a, prefix) - rank(b, prefix) || compare(a.sortText ?? a.label, b.sortText ?? b.label));
  // What every Python object has is offered to those who ask for it.
  const shown = prefix.startsWith('_') ? matching : matching.filter(({ label }) => !/^__\w+__$/.test(label));
  const best = (shown.length === 0 ? matching : shown).slice(0, query.limit);
  const resolved = await Promise.all(
    best.map(async (item, index) =>
      index < (query.documented ?? 5) && server.client.capabilities.completionProvider?.resolveProvider === true
        ? server.request<CompletionItem>('completionItem/resolve', item, options)
        : item,
    ),
  );
  return {
    completions: resolved.map(describe),
    total: matching.length,
    isIncomplete: list.isIncomplete,
    index: matching.length > 0 ? server.state : { detail: askedAt(text, position), ...server.state },
  };
}

/** Shows where the question was asked: columns are easily miscounted. */
function askedAt(text: LineIndex, { line, column }: Position): string {
  const content = text.lineText(line) ?? '';
  const [before, after] = [content.slice(0, column - 1), content.slice(column - 1)];
  return `nothing fits at | in: ${before.slice(-40).trimStart()}|${after.slice(0, 20)}`;
}

/** Several entry points of one package offer the same name from the same place. */
function distinct(items: readonly CompletionItem[]): CompletionItem[] {
  const keyOf = ({ label, kind, labelDetails }: CompletionItem) =>
    [label, kind, labelDetails?.description, labelDetails?.detail].join('\0');
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
}

function matches(item: CompletionItem, prefix: string): boolean {
  const text = (item.filterText ?? item.label).toLowerCase();
  return (
    text.replace(/^[.?]+/, '').startsWith(prefix.toLowerCase()) ||
    (prefix.length > 2 && text.includes(prefix.toLowerCase()))
  );
}

function rank(item: CompletionItem, prefix: string): number {
  return (item.filterText ?? item.label).startsWith(prefix) ? 0 : 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function describe(item: CompletionItem): Completion {
  const documentation = textOf(item.documentation);
  const from = item.labelDetails?.description;
  const detail = item.detail?.replace(/^Add import from "[^"]*"\s*/, '').trim() ?? '';
  return {
    label: item.label,
    kind: kindNames[(item.kind ?? 1) - 1] ?? 'text',
    ...(detail === '' ? detailOf(item) : { detail }),
    ...(documentation === '' ? {} : { documentation }),
    ...(from === undefined || from === '' || from === detail ? {} : { from }),
    ...(item.deprecated === true || item.tags?.includes(1) ? { deprecated: true } : {}),
  };
}

function detailOf(item: CompletionItem): { detail?: string } {
  const detail = item.labelDetails?.detail;
  return detail === undefined || detail === '' ? {} : { detail: detail.trim() };
}

function textOf(documentation: string | MarkupContent | undefined): string {
  const text = typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
  return text.trim();
}
