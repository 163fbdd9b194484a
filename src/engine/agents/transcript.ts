import { resolve } from 'node:path';
import { clip } from '../../base/text/textBudget.ts';
import { list, record, text, type Loose } from './loose.ts';
import type { CompactionItem, MessageItem, ThreadItem, ToolContent, ToolItem } from './model.ts';

type TranscriptEvent =
  | { kind: 'item'; item: ThreadItem }
  | { kind: 'append'; id: string; text: string }
  | { kind: 'reset' };

const editing: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);
const maxItems = 5000;
const maxText = 400_000;
const maxToolText = 40_000;
const maxDiffText = 200_000;
const maxRaw = 20_000;

/** What was said and done, as upserts by id. Version 1 has no ids for messages: what follows on the same kind belongs to it. */
export class Transcript {
  /** Tool calls that were heard of in the present turn; an id may be used again. */
  readonly #heard = new Set<string>();
  readonly #items = new Map<string, ThreadItem>();
  readonly #tell: (event: TranscriptEvent) => void;
  #last: string | undefined;
  #made = 0;
  #turn = 0;

  constructor(tell: (event: TranscriptEvent) => void) {
    this.#tell = tell;
  }

  get turn(): number {
    return this.#turn;
  }

  beginTurn(number: number): void {
    this.#turn = number;
    this.#heard.clear();
  }

  get items(): ThreadItem[] {
    return [...this.#items.values()];
  }

  item(id: string): ThreadItem | undefined {
    return this.#items.get(id);
  }

  tool(id: string): ToolItem | undefined {
    const item = this.#items.get(toolKey(id));
    return item?.type === 'tool' ? item : undefined;
  }

  /** Files that tool calls of the present turn change, by what they name. */
  editedPaths(root: string): Set<string> {
    const tools = this.items.filter((item) => item.type === 'tool').filter(({ id }) => this.#heard.has(id));
    const named = tools.flatMap(({ kind, locations, content }) => [
      ...(editing.has(kind) ? locations.map(({ path }) => path) : []),
      ...content.flatMap((each) => (each.type === 'diff' ? [each.path] : [])),
    ]);
    return new Set(named.map((path) => resolve(root, path)));
  }

  reset(): void {
    this.#items.clear();
    this.#last = undefined;
    this.#tell({ kind: 'reset' });
  }

  /** The person's own words. */
  said(words: string): void {
    this.#put({ type: 'message', id: this.#newId('m'), turn: this.turn, role: 'user', text: words });
  }

  notice(severity: string, title: string, description?: string): void {
    const rest = description === undefined ? {} : { description: clip(description, maxToolText) };
    this.#put({ type: 'notice', id: this.#newId('n'), turn: this.turn, severity, title, ...rest });
  }

  chunk(role: MessageItem['role'], update: Loose): void {
    const words = blockText(record(update['content']));
    if (words === '') return;
    const messageId = text(update['messageId']);
    const id = messageId === undefined ? this.#continued(role) : `${role} ${messageId}`;
    const item = id === undefined ? undefined : this.#items.get(id);
    if (item?.type === 'message') {
      if (item.text.length > maxText) return;
      this.#items.set(item.id, { ...item, text: item.text + words });
      this.#last = item.id;
      this.#tell({ kind: 'append', id: item.id, text: words });
    } else this.#put({ type: 'message', id: id ?? this.#newId('m'), turn: this.turn, role, text: words });
  }

  /** Creates it or changes what is given: an absent field keeps what there was. */
  upsertTool(update: Loose): void {
    const callId = text(update['toolCallId']);
    if (callId === undefined) return;
    const id = toolKey(callId);
    this.#heard.add(id);
    const before = this.#items.get(id);
    const known: ToolItem =
      before?.type === 'tool'
        ? before
        : {
            type: 'tool',
            id,
            turn: this.turn,
            title: callId,
            kind: 'other',
            status: 'pending',
            locations: [],
            content: [],
          };
    const next: ToolItem = {
      ...known,
      title: clip(text(update['title']) ?? known.title, 500),
      kind: text(update['kind']) ?? known.kind,
      status: text(update['status']) ?? known.status,
      locations: update['locations'] === undefined ? known.locations : locationsOf(update['locations']),
      content: update['content'] === undefined ? known.content : contentOf(update['content']),
    };
    const name = text(update['name']);
    if (name !== undefined) next.name = name;
    if (update['rawInput'] !== undefined) next.input = bounded(update['rawInput']);
    if (update['rawOutput'] !== undefined) next.output = bounded(update['rawOutput']);
    this.#put(next);
  }

  permission(callId: string, words: string): void {
    const item = this.tool(callId);
    if (item !== undefined) this.#put({ ...item, permission: words });
  }

  /** What was under way when the turn or the agent ended will not go on. */
  endTools(status: string): void {
    for (const item of this.items)
      if (item.type === 'tool' && (item.status === 'pending' || item.status === 'in_progress'))
        this.#put({ ...item, status });
  }

  plan(update: Loose): void {
    const entries = list(update['entries']).map((entry) => {
      const { content, priority, status } = record(entry);
      return {
        content: clip(text(content) ?? '', 1000),
        priority: text(priority) ?? 'medium',
        status: text(status) ?? 'pending',
      };
    });
    const id = text(update['planId']) ?? 'plan';
    this.#put({ type: 'plan', id: `${id} ${this.turn}`, turn: this.turn, entries: entries.slice(0, 200) });
  }

  compaction(update: Loose): void {
    const id = `compaction ${text(update['compactionId']) ?? ''}`;
    const before = this.#items.get(id);
    const known: CompactionItem =
      before?.type === 'compaction'
        ? before
        : { type: 'compaction', id, turn: this.turn, status: 'in_progress', summary: '' };
    const summary =
      update['content'] === undefined
        ? list(update['summary'])
            .map((block) => blockText(record(block)))
            .join('') || known.summary
        : known.summary + blockText(record(update['content']));
    const error = text(update['error']) ?? known.error;
    const next = { ...known, status: text(update['status']) ?? known.status, summary: clip(summary, maxToolText) };
    this.#put(error === undefined ? next : { ...next, error });
  }

  #put(item: ThreadItem): void {
    this.#items.set(item.id, item);
    this.#last = item.id;
    if (this.#items.size > maxItems) {
      const [oldest] = this.#items.keys();
      if (oldest !== undefined) this.#items.delete(oldest);
    }
    this.#tell({ kind: 'item', item });
  }

  #continued(role: MessageItem['role']): string | undefined {
    const last = this.#last === undefined ? undefined : this.#items.get(this.#last);
    return last?.type === 'message' && last.role === role && last.turn === this.turn ? last.id : undefined;
  }

  #newId(prefix: string): string {
    this.#made += 1;
    return `${prefix}${this.#made}`;
  }
}

/** Ids of tool calls are the agent's: they must not meet ours. */
function toolKey(callId: string): string {
  return `tool ${callId}`;
}

export function blockText(block: Loose): string {
  switch (block['type']) {
    case 'text':
      return text(block['text']) ?? '';
    case 'resource_link':
      return `[${text(block['name']) ?? 'resource'}](${text(block['uri']) ?? ''})`;
    case 'resource':
      return text(record(block['resource'])['text']) ?? `[${text(record(block['resource'])['uri']) ?? 'resource'}]`;
    case 'image':
    case 'audio':
      return `[${block['type']}]`;
    default:
      return '';
  }
}

function contentOf(value: unknown): ToolContent[] {
  return list(value).flatMap((each): ToolContent[] => {
    const part = record(each);
    if (part['type'] === 'diff') {
      const oldText = text(part['oldText']);
      return [
        {
          type: 'diff',
          path: text(part['path']) ?? '',
          newText: clip(text(part['newText']) ?? '', maxDiffText),
          ...(oldText === undefined ? {} : { oldText: clip(oldText, maxDiffText) }),
        },
      ];
    }
    const words = part['type'] === 'content' ? blockText(record(part['content'])) : '';
    return words === '' ? [] : [{ type: 'text', text: clip(words, maxToolText) }];
  });
}

function locationsOf(value: unknown): ToolItem['locations'] {
  return list(value)
    .slice(0, 100)
    .flatMap((each) => {
      const { path, line } = record(each);
      if (typeof path !== 'string') return [];
      return [typeof line === 'number' ? { path, line } : { path }];
    });
}

/** Of any shape; kept as it is when it is small. */
function bounded(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  return json.length <= maxRaw ? value : clip(json, maxRaw);
}
