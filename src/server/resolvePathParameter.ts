import { advise, step } from '../base/text/advice.ts';
import { ToolError } from '../base/errors.ts';
import { resolveProjectPath } from '../engine/workspace/paths.ts';
import type { Project } from '../engine/workspace/project.ts';
import type { PathKind } from '../tools/defineTool.ts';

/** Turns a path parameter into what the tool may use: canonical, confined, and of the kind the tool declares. */
export async function resolvePathParameter(
  project: Project,
  path: string,
  kind: PathKind,
  /** Canonical folders of library sources that may be read besides the project. */
  readRoots: readonly string[] = [],
): Promise<string> {
  const resolved = await resolveProjectPath(project.root, path, {
    expect: kind === 'new' || kind === 'entry' ? 'any' : 'existing',
    lastLink: kind === 'entry' ? 'kept' : 'followed',
    readRoots: kind === 'readable' || kind === 'searchable' ? readRoots : [],
  });
  if (resolved.member !== undefined) {
    if (kind === 'readable') return `${resolved.path}!/${resolved.member}`;
    throw new ToolError(
      'invalid_arguments',
      `${path} is a member of an archive; here a file of the project is needed.`,
      {
        hint: advise`${step('readFile')} reads members of archives.`,
      },
    );
  }
  if (kind === 'directory' && resolved.kind !== 'directory')
    throw new ToolError('invalid_arguments', `${resolved.shown} is not a folder.`);
  if ((kind === 'file' || kind === 'readable') && resolved.kind === 'directory') {
    throw new ToolError('not_a_regular_file', `${resolved.shown} is a folder.`, {
      hint: advise`${step('listProjectFiles')} with directory "${resolved.shown}" shows what is in it.`,
    });
  }
  if ((kind === 'file' || kind === 'readable') && resolved.kind === 'other')
    throw new ToolError('not_a_regular_file', `${resolved.shown} is a pipe, socket or device, not a regular file.`);
  return resolved.path;
}
