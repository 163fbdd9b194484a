import { z } from 'zod';
import { ToolError } from '../../base/errors.ts';
import { historyCsv, historyJson, isMentioned, type HistoryEntry } from '../../server/history.ts';
import type { CallDetails } from '../channel.ts';
import type { MethodContext } from '../dashboard.ts';
import { method, type AnyMethod } from '../method.ts';
import { callSummary } from '../summaries.ts';
import { sessionPage } from '../sessionPage.ts';

const ids = z.array(z.string()).max(100_000);

/** What was called, by whom and what came of it. */
export function historyMethods({ parts }: MethodContext): AnyMethod[] {
  const { history, projects } = parts;
  const all = () => history.listAll([undefined, ...projects.list()]);
  const chosen = (wanted: readonly string[]): HistoryEntry[] => {
    const names = new Set(wanted);
    return all().filter((entry) => names.has(entry.id));
  };
  return [
    method('history.list', z.object({ limit: z.int().min(1).optional() }), ({ limit }) => {
      const entries = all();
      return { calls: entries.slice(0, limit ?? entries.length).map(callSummary), total: entries.length };
    }),
    method('history.search', z.object({ text: z.string().max(1000) }), ({ text }) => {
      const wanted = text.toLowerCase();
      return { ids: all().flatMap((entry) => (isMentioned(entry, wanted) ? [entry.id] : [])) };
    }),
    method('history.get', z.object({ id: z.string() }), ({ id }) => {
      all();
      const entry = history.find(id);
      if (entry === undefined)
        throw new ToolError('history_not_found', `The history has no call ${id}.`, {
          hint: 'It was cleared, or made room for newer calls.',
        });
      return details(entry, history.dataOf(id));
    }),
    method('history.clear', z.object({ project: z.string().optional() }), ({ project }) => {
      const before = all().length;
      const owners = project === undefined ? [undefined, ...projects.list()] : [projects.containing(project)];
      for (const owner of owners) history.clear(owner);
      return { cleared: before - all().length };
    }),
    method('history.export', z.object({ ids, format: z.enum(['json', 'csv']) }), ({ ids: wanted, format }) => ({
      text: format === 'csv' ? historyCsv(chosen(wanted)) : historyJson(chosen(wanted)),
    })),
    method('history.exportHtml', z.object({ ids, title: z.string().max(200) }), ({ ids: wanted, title }) => ({
      text: sessionPage(title, chosen(wanted).reverse()),
    })),
  ];
}

function details(entry: HistoryEntry, data: unknown): CallDetails {
  return {
    ...callSummary(entry),
    parameters: entry.parameters,
    result: entry.result,
    data,
    wholeError: entry.error,
    affectedFiles: entry.affectedFiles ?? [],
    commandLine: commandLine(entry),
  };
}

function commandLine({ toolName, parameters }: HistoryEntry): string {
  const json = JSON.stringify(parameters ?? {});
  return `sightline call ${toolName} --json '${json.replaceAll("'", "'\\''")}'`;
}
