import { ToolError } from '../../base/errors.ts';
import type { JobStore } from '../workspace/jobs/jobStore.ts';
import type { Project } from '../workspace/project.ts';
import { runBuild } from './building.ts';
import type { ReplacedCode } from './model.ts';
import type { Session } from './session/session.ts';
import type { AdapterDescription } from './target.ts';

interface ReplacementRequest {
  project: Project;
  session: Session;
  adapter: AdapterDescription | undefined;
  clientId: string;
  signal?: AbortSignal | undefined;
}

/** Compiles a running program's sources as they are now, and gives it what has changed. All of it is taken, or none. */
export async function replaceCode(jobs: JobStore, request: ReplacementRequest): Promise<ReplacedCode> {
  const { project, session, adapter, clientId, signal } = request;
  const { launched } = session;
  if (adapter?.recompile === undefined || !session.canReplaceCode)
    throw new ToolError('unsupported', `The debugger of ${session.language} cannot replace code.`, {
      hint: 'Start the program again: it is then compiled as it is now.',
    });
  if (launched === undefined)
    throw new ToolError('unsupported', 'Only what was compiled when it was started can be compiled again.', {
      hint: 'The program was joined while it ran. Start it here, then its code can be replaced.',
    });
  const recompiled = await adapter.recompile(launched, project);
  try {
    if (recompiled.build !== undefined)
      await runBuild(jobs, { project, clientId, build: recompiled.build, signal, undone: 'nothing was replaced' });
    const units = await recompiled.changed();
    const replaced = units.length === 0 ? { replaced: [], later: [], outdated: [] } : await session.replaceCode(units);
    await recompiled.taken();
    return replaced;
  } finally {
    await recompiled.dispose();
  }
}
