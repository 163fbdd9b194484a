import { join } from 'node:path';
import { readStateFile, type StateFileProblem, writeStateFile } from '../../../base/stateFile.ts';
import type { Project } from '../../workspace/project.ts';

/** What the plain-text tools remember of their one session, so that a crash of ours costs the agent one call, not its work. */
interface RememberedLaunch {
  program: string;
  language?: string;
  args?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

const formatVersion = 1;

export async function rememberLaunch(project: Project, launch: RememberedLaunch | undefined): Promise<void> {
  await writeStateFile(pathOf(project), formatVersion, launch ?? null);
}

/** The launch of a session that was never ended properly. */
export function rememberedLaunch(
  project: Project,
  onProblem: (problem: StateFileProblem) => void,
): Promise<RememberedLaunch | undefined> {
  return readStateFile<RememberedLaunch | undefined>(pathOf(project), {
    version: formatVersion,
    parse: (content) => {
      if (content === null) return undefined;
      if (typeof content !== 'object' || !('program' in content) || typeof content.program !== 'string')
        throw new Error('it describes no launch');
      // Written by `rememberLaunch`; the one field without which it is of no use was checked.
      return content as RememberedLaunch;
    },
    empty: () => undefined,
    onProblem,
  });
}

function pathOf(project: Project): string {
  return join(project.stateDir, 'debug-session.json');
}
