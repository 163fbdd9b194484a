import { displayPath } from '../../../base/paths.ts';
import type { Project } from '../project.ts';
import type { ChangeRecord } from './changeLog.ts';
import type { ChangeFilter, LocalHistory } from './localHistory.ts';

interface ListedChange {
  historyId: string;
  time: string;
  tool: string;
  summary: string;
  callId?: string;
  client?: string;
  clientName?: string;
  files: string[];
  filesCount: number;
  /** Made by a program that was run, not by an edit of Sightline's own. */
  observed?: boolean;
  /** What such a program changed besides and undo will not bring back. */
  leftOut?: { why: string; count: number; files: string[] }[];
  notes?: string[];
  undone?: boolean;
  undoOf?: string[];
}

/** What undo will not bring back, as callers read it. */
export function describeRest(change: ChangeRecord): Pick<ListedChange, 'leftOut' | 'notes'> {
  return {
    leftOut: change.leftOut?.map(({ why, count, files }) => ({ why, count, files: files.slice(0, maxLeftOutShown) })),
    notes: change.notes === undefined ? undefined : [...change.notes],
  };
}

const maxLeftOutShown = 5;
const maxFilesShown = 20;

/** Local history as callers read it, latest first. */
export async function listChanges(
  history: LocalHistory,
  project: Project,
  filter: ChangeFilter,
  limit: number,
): Promise<{ changes: ListedChange[]; total: number }> {
  const found = await history.list(project, filter);
  const undone = await history.undoneIds(project);
  const changes = found.slice(0, limit).map((change): ListedChange => {
    const files = change.transitions.map((one) => displayPath(project.root, one.path));
    return {
      historyId: change.id,
      time: change.time,
      tool: change.origin.tool,
      summary: change.origin.summary ?? change.origin.tool,
      callId: change.origin.callId,
      client: change.origin.client,
      clientName: change.origin.clientName,
      files: files.slice(0, maxFilesShown),
      filesCount: files.length,
      observed: change.observed,
      ...describeRest(change),
      undone: undone.has(change.id) || undefined,
      undoOf: change.undoOf === undefined ? undefined : [...change.undoOf],
    };
  });
  return { changes, total: found.length };
}
