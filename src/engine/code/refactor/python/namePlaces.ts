import { withTimeout } from '../../../../base/cancellation.ts';
import { CancelledError, ToolError } from '../../../../base/errors.ts';
import type { Position, Range } from '../../../../base/positions.ts';
import type { Project } from '../../../workspace/project.ts';
import type { Target } from '../../addressing.ts';
import type { CodeEngine } from '../../codeEngine.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { IndexState } from '../../model.ts';
import { askDefinition } from '../../queries/requests/definition.ts';
import { locateReferences } from '../../queries/requests/locateReferences.ts';
import { wordRole } from '../../syntax/mentions.ts';
import { indexNotReady } from '../indexNotReady.ts';
import type { RefactorTarget, RefactorWaiting } from '../model.ts';
import type { Place } from './ropeRequests.ts';

/** What somebody who knows types says about a name; rope only guesses types. */
export interface NamePlaces {
  /** Where it is used, its declarations included. Undefined when there is nobody to ask. */
  of(target: RefactorTarget, waiting: RefactorWaiting): Promise<Place[] | undefined>;
  /** Of these places, those that are known to mean something declared elsewhere. */
  others(places: readonly Place[], own: readonly Place[], waiting: RefactorWaiting): Promise<Place[]>;
}

export function namePlaces(project: Project, code: CodeEngine): NamePlaces {
  const place = (path: string, { line, column }: Position): Place => ({ path, line, column });
  return {
    async of(target, waiting) {
      const workspace = code.workspace(project);
      if ((await workspace.serverFor(target.path)) === undefined) return undefined;
      const end = { line: target.position.line, column: target.position.column + target.name.length };
      const asked = { ...target, range: { start: target.position, end }, notes: [] };
      const { resolved: locations, index } = await located(workspace, asked, waiting);
      // A server that has not seen everything misses uses. One that has, but leaves some undecided, is helped by rope.
      if (index.state !== 'ready' && index.state !== 'partial') {
        if (waiting.onIncomplete === undefined) throw indexNotReady(index);
        waiting.onIncomplete(index);
      }
      if (index.state !== 'ready') return undefined;
      const own: Place[] = [];
      for (const { path, range } of locations) {
        // What `__all__` lists follows by itself.
        const text = await workspace.texts.tryGet(path);
        const isListed = text !== undefined && wordRole('py', text, range.start, target.name) === 'listed';
        if (!isListed) own.push(place(path, range.start));
      }
      return own;
    },
    async others(places, own, waiting) {
      const keys = new Set(own.map(keyOf));
      const found: Place[] = [];
      for (const one of places) {
        const server = await code.workspace(project).serverFor(one.path);
        if (server === undefined) continue;
        await server.documents.open(one.path);
        const at = { path: one.path, position: { line: one.line, column: one.column } };
        const definitions = await askDefinition(server, 'textDocument/definition', at, waiting.signal);
        if (
          definitions.length > 0 &&
          definitions.every(({ path, range }) => !keys.has(keyOf(place(path, range.start))))
        )
          found.push(one);
      }
      return found;
    },
  };
}

/** A server that cannot say leaves the matter to rope; what rope is not sure of is then a conflict. */
export async function knownPlaces(
  places: NamePlaces,
  target: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<Place[] | undefined> {
  try {
    return await places.of(target, waiting);
  } catch (error) {
    if (error instanceof CancelledError || (error instanceof ToolError && error.code === 'index_not_ready'))
      throw error;
    return undefined;
  }
}

/** Whoever goes on without a complete index does not wait for one as long as a call can. */
const forcedPatienceMs = 8000;

async function located(
  workspace: CodeWorkspace,
  asked: Target,
  waiting: RefactorWaiting,
): Promise<{ resolved: readonly { path: string; range: Range }[]; index: IndexState }> {
  try {
    const answer = locateReferences(workspace, asked, waiting.signal === undefined ? {} : { signal: waiting.signal });
    return await (waiting.onIncomplete === undefined ? answer : withTimeout(answer, forcedPatienceMs, stillLoading));
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'index_not_ready')) throw error;
    return { resolved: [], index: { state: 'indexing', detail: error.message } };
  }
}

function stillLoading(): ToolError {
  return new ToolError('index_not_ready', 'The language server is still loading the project.');
}

export function keyOf({ path, line, column }: Place): string {
  return `${path}:${line}:${column}`;
}
