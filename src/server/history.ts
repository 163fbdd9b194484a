import { join } from 'node:path';
import { Emitter } from '../base/emitter.ts';
import type { Redactor } from '../base/text/redact.ts';
import { clip } from '../base/text/textBudget.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import type { Project } from '../engine/workspace/project.ts';
import { HistoryLog } from './historyLog.ts';
import type { CallRecorder } from './toolRunner.ts';

/** One call, as the history keeps it: already without secrets and cut to a size worth keeping. */
export interface HistoryEntry {
  id: string;
  /** ISO 8601. */
  timestamp: string;
  client: string;
  /** Its connection. */
  clientId?: string;
  /** Root of the project, or undefined for a call that concerned none. */
  project?: string;
  toolName: string;
  parameters: unknown;
  status: HistoryStatus;
  result?: string;
  error?: string;
  durationMs?: number;
  /** Estimated tokens of the answer. */
  tokens?: number;
  affectedFiles?: string[];
}

export const historyStatuses = ['pending', 'success', 'error'] as const;
type HistoryStatus = (typeof historyStatuses)[number];

/** Whose history: that of a project, or of the calls that concerned none. */
type HistoryOwner = Pick<Project, 'root' | 'stateDir'> | undefined;

export interface HistoryFilter {
  toolName?: string;
  status?: HistoryStatus;
  /** Found, whatever its case, in the tool's name, parameters, result or error. */
  text?: string;
  limit?: number;
}

export type HistoryEvent =
  | { kind: 'added' | 'updated'; entry: HistoryEntry }
  | { kind: 'cleared'; project: string | undefined };

interface HistoryOptions {
  /** Where calls without a project are kept. */
  stateDir: string;
  maxEntries: number;
  redactor: Redactor;
  onProblem?(message: string): void;
}

type Outcome = Parameters<CallRecorder['end']>[1];

const maxResultChars = 8000;
const maxParameterChars = 4000;
/** Of so many calls the answer is kept as data too, in memory only. */
const maxRecent = 200;

/** Every call ever made, newest first, per project; on disk before the call runs, so that even `kill -9` leaves a trace. */
export class CommandHistory implements CallRecorder {
  readonly onDidChange: Emitter<HistoryEvent>;
  readonly #options: HistoryOptions;
  readonly #logs = new Map<string, HistoryLog>();
  readonly #running = new Map<string, HistoryLog>();
  /** Answers as data, for looking at what has just happened. */
  readonly #recent = new Map<string, Record<string, unknown>>();
  readonly #ended: { id: string; outcome: Outcome }[] = [];

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.onDidChange = new Emitter((error) =>
      options.onProblem?.(`A listener of the history failed: ${String(error)}`),
    );
  }

  begin(call: Parameters<CallRecorder['begin']>[0]): void {
    this.#writeEnded();
    const { redactor } = this.#options;
    const entry: HistoryEntry = {
      id: call.id,
      timestamp: call.time.toISOString(),
      client: redactor.text(call.clientName),
      clientId: call.clientId,
      project: call.project?.root,
      toolName: call.tool,
      parameters: redactor.value(shortened(call.parameters)),
      status: 'pending',
    };
    const log = this.#log(call.project);
    log.add(entry);
    this.#running.set(entry.id, log);
    this.onDidChange.fire({ kind: 'added', entry });
  }

  /** The answer is not kept waiting: it leaves first, and is written down in the same turn of the event loop. */
  end(id: string, outcome: Outcome): void {
    this.#ended.push({ id, outcome });
    if (this.#ended.length === 1) setImmediate(() => this.#writeEnded());
  }

  #writeEnded(): void {
    for (const { id, outcome } of this.#ended.splice(0)) this.#writeEnd(id, outcome);
  }

  #writeEnd(id: string, outcome: Outcome): void {
    const { redactor } = this.#options;
    const log = this.#running.get(id);
    this.#running.delete(id);
    this.#keepData(id, outcome.data);
    const failed = outcome.status === 'error';
    const text = this.#textOf(outcome);
    const entry = log?.update(id, {
      status: outcome.status,
      result: failed ? undefined : clip(redactor.text(text), maxResultChars),
      error: failed ? clip(redactor.text(outcome.error ?? text), maxResultChars) : undefined,
      durationMs: Math.round(outcome.durationMs * 10) / 10,
      tokens: estimateTokens(text),
      affectedFiles: outcome.affectedFiles,
    });
    if (entry !== undefined) this.onDidChange.fire({ kind: 'updated', entry });
  }

  /** The answer of a recent call as data, without secrets. */
  dataOf(id: string): unknown {
    const data = this.#recent.get(id);
    return data === undefined ? undefined : this.#options.redactor.value(data);
  }

  /** Of these projects and of all that were used in this process, newest first. */
  listAll(owners: readonly HistoryOwner[]): HistoryEntry[] {
    this.#writeEnded();
    for (const owner of owners) this.#log(owner);
    return [...this.#logs.values()]
      .flatMap((log) => log.entries())
      .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
  }

  find(id: string): HistoryEntry | undefined {
    this.#writeEnded();
    for (const log of this.#logs.values()) {
      const entry = log.get(id);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  #keepData(id: string, data: Record<string, unknown> | undefined): void {
    if (data === undefined) return;
    this.#recent.set(id, data);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > maxRecent && oldest !== undefined) this.#recent.delete(oldest);
  }

  /** Made only now for who read the answer as JSON. The answer has left: a renderer that fails cannot spoil it any more. */
  #textOf(outcome: Outcome): string {
    try {
      return outcome.text;
    } catch (error) {
      this.#options.onProblem?.(`An answer could not be put into words for the history: ${String(error)}`);
      return '';
    }
  }

  /** Newest first. */
  list(project: HistoryOwner, filter: HistoryFilter = {}): HistoryEntry[] {
    this.#writeEnded();
    const text = filter.text?.toLowerCase();
    const found = this.#log(project)
      .entries()
      .filter(
        (entry) =>
          (filter.toolName === undefined || entry.toolName === filter.toolName) &&
          (filter.status === undefined || entry.status === filter.status) &&
          (text === undefined || isMentioned(entry, text)),
      )
      .reverse();
    return filter.limit === undefined ? found : found.slice(0, Math.max(filter.limit, 0));
  }

  clear(project: HistoryOwner): void {
    this.#writeEnded();
    this.#log(project).clear();
    this.onDidChange.fire({ kind: 'cleared', project: project?.root });
  }

  exportJson(project: HistoryOwner, filter?: HistoryFilter): string {
    return historyJson(this.list(project, filter));
  }

  exportCsv(project: HistoryOwner, filter?: HistoryFilter): string {
    return historyCsv(this.list(project, filter));
  }

  dispose(): void {
    this.#writeEnded();
    for (const log of this.#logs.values()) log.dispose();
    this.#logs.clear();
    this.onDidChange.dispose();
  }

  #log(owner: HistoryOwner): HistoryLog {
    const folder = owner?.stateDir ?? this.#options.stateDir;
    const known = this.#logs.get(folder);
    if (known !== undefined) return known;
    const log = new HistoryLog(join(folder, 'history.jsonl'), this.#options.maxEntries, (message) =>
      this.#options.onProblem?.(message),
    );
    this.#logs.set(folder, log);
    return log;
  }
}

export function historyJson(entries: readonly HistoryEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`;
}

export function historyCsv(entries: readonly HistoryEntry[]): string {
  const rows = entries.map((entry) =>
    csvColumns.map((column) => {
      const value = entry[column];
      return csvCell(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    }),
  );
  return [csvColumns, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Whether a text, in lower case, occurs in a call. */
export function isMentioned(entry: HistoryEntry, text: string): boolean {
  return searchable(entry).includes(text);
}

const csvColumns = [
  'id',
  'timestamp',
  'client',
  'project',
  'toolName',
  'status',
  'durationMs',
  'tokens',
  'affectedFiles',
  'parameters',
  'result',
  'error',
] as const satisfies readonly (keyof HistoryEntry)[];

/** Quoted as RFC 4180 says. A cell that a spreadsheet would take for a formula is marked as text. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function searchable(entry: HistoryEntry): string {
  return [entry.toolName, JSON.stringify(entry.parameters) ?? '', entry.result ?? '', entry.error ?? '']
    .join('\n')
    .toLowerCase();
}

/** Parameters such as the content of a written file are kept as their beginning. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, maxParameterChars);
  if (Array.isArray(value)) {
    const kept = value.slice(0, 100).map(shortened);
    return value.length > 100 ? [...kept, `… (+${value.length - 100} items)`] : kept;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}
