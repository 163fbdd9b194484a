import { extname } from 'node:path';
import type { Project } from '../../workspace/project.ts';
import type { Breakpoint } from './breakpointStore.ts';
import type { BreakpointBinding } from '../model.ts';
import type { AdapterDescription } from '../target.ts';

/** What the files on disk say of a line breakpoint that no program has loaded yet. */
export async function foretold(
  adapters: readonly AdapterDescription[],
  project: Project,
  { id, file, line, column }: Breakpoint,
  outFiles: readonly string[] | undefined,
): Promise<BreakpointBinding | undefined> {
  if (file === undefined || line === undefined) return undefined;
  const adapter = adapters.find((each) => each.fileExtensions.includes(extname(file)));
  const told = await adapter?.forecast?.({
    project,
    file,
    line,
    column,
    outFiles,
  });
  return told === undefined ? undefined : { ...told, breakpointId: id, isPending: true };
}
