import { ToolError } from '../base/errors.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { ProjectStore } from '../engine/workspace/projectStore.ts';

/** The open project that a page means by its path. */
export function projectAt(projects: ProjectStore, path: string): Project {
  const found = projects.list().find((each) => each.root === path);
  if (found === undefined) throw new ToolError('project_not_found', `${path} is not open.`);
  return found;
}
