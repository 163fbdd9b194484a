import { relative } from 'node:path';
import { isExecutableConfig } from '../engine/workspace/edits/executableConfig.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { Effect } from './defineTool.ts';

/** The effect of writing these files: more than an edit when other programs execute one of them later. */
export function writtenEffect(project: Project | undefined, ...paths: readonly (string | undefined)[]): Effect {
  const root = project?.root ?? '/';
  return paths.some((path) => path !== undefined && isExecutableConfig(relative(root, path))) ? 'destructive' : 'edit';
}
