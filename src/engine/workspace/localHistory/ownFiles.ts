import { existsSync } from 'node:fs';
import type { Project } from '../project.ts';
import type { LocalHistory } from './localHistory.ts';

/** The files that a client has changed and that are still there: what "the changed set" means when no file is named. */
export async function filesChangedBy(history: LocalHistory, project: Project, client: string): Promise<string[]> {
  const undone = await history.undoneIds(project);
  const paths = new Set<string>();
  for (const change of await history.list(project, { client }))
    if (!undone.has(change.id) && change.undoOf === undefined)
      for (const { path, after } of change.transitions) if (after?.kind === 'file' && existsSync(path)) paths.add(path);
  return [...paths].sort();
}
