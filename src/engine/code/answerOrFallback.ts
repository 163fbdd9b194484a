import { ToolError } from '../../base/errors.ts';
import type { CodeWorkspace } from './codeWorkspace.ts';
import type { IndexState, Waiting } from './model.ts';
import type { ServerDefinition } from './servers/definition.ts';

const progressIntervalMs = 2000;

/**
 * What a server answers. When it takes longer than the caller can wait, what is known without it, marked as incomplete: a project that
 * is still being loaded is no reason to come back with nothing. The question stays with the server, because asking is what makes
 * servers load; the next call finds it further on.
 */
export async function answerOrKnown<T>(
  workspace: CodeWorkspace,
  definition: ServerDefinition,
  waiting: Waiting,
  ask: () => Promise<T>,
  known: (index: IndexState) => Promise<T>,
): Promise<T> {
  const { patienceMs } = waiting;
  if (patienceMs === undefined || waiting.acceptsPartial !== true) return ask();
  const startedAt = Date.now();
  const loading = () => loadingState(workspace, definition, Date.now() - startedAt);
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const progress = setInterval(() => waiting.onProgress?.(loading().detail ?? 'indexing'), progressIntervalMs);
  const answer = ask();
  try {
    const first = await Promise.race([
      answer,
      new Promise<typeof late>((resolve) => {
        timer = setTimeout(() => resolve(late), patienceMs - reserveFor(patienceMs, 6000));
      }),
    ]);
    if (first !== late) return first;
    answer.catch(() => undefined);
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'index_not_ready')) throw error;
  } finally {
    clearTimeout(timer);
    clearInterval(progress);
  }
  return known(loading());
}

/** The same for a question about a file. One that no server knows is asked all the same: the error says so. */
export async function answerOrKnownOf<T>(
  workspace: CodeWorkspace,
  path: string,
  waiting: Waiting,
  ask: () => Promise<T>,
  known: (index: IndexState) => Promise<T>,
): Promise<T> {
  const definition = workspace.definitionFor(path);
  return definition === undefined ? ask() : answerOrKnown(workspace, definition, waiting, ask, known);
}

/** What is kept back from a caller's patience for what must follow the waiting. */
export function reserveFor(patienceMs: number, wantedMs: number): number {
  return Math.min(wantedMs, patienceMs * 0.3);
}

function loadingState(workspace: CodeWorkspace, definition: ServerDefinition, waitedMs: number): IndexState {
  const { state, detail } = workspace.stateOf(definition);
  const progress = state === 'indexing' && detail !== undefined ? detail : 'loading the project';
  return {
    state: 'indexing',
    partial: true,
    detail: `the ${definition.title} has not answered for ${Math.round(waitedMs / 1000)} s (${progress}); this was found by text. Ask again later`,
  };
}
