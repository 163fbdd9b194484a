import { comparePositions, type Position } from '../../../base/positions.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { IndexState, Waiting } from '../model.ts';
import { answerOrKnownOf } from '../patience.ts';
import { implementationsByText } from './byText.ts';
import { askDefinition } from './definitionRequest.ts';
import { outlineOf, symbolsAround } from './outline.ts';

export interface Implementation {
  /** `Book/price`. */
  name: string;
  kind: string;
  path: string;
  position: Position;
  context: string;
}

export interface ImplementationsResult {
  implementations: Implementation[];
  index: IndexState;
}

/** The classes that implement an interface or abstract class, or the methods that implement one of its methods. */
export function findImplementations(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting,
): Promise<ImplementationsResult> {
  return answerOrKnownOf(
    workspace,
    target.path,
    waiting,
    () => servedImplementations(workspace, target, waiting),
    (index) => implementationsByText(workspace, target, index, waiting.signal),
  );
}

async function servedImplementations(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting,
): Promise<ImplementationsResult> {
  const server = await workspace.requireServer(target.path);
  await server.documents.open(target.path);
  const index = await server.waitUntilReady(waiting);
  const found = await askDefinition(server, 'textDocument/implementation', target, waiting.signal);
  const implementations = await Promise.all(
    found.map(async (item): Promise<Implementation> => {
      const text = await workspace.texts.tryGet(item.path);
      const around =
        text === undefined ? [] : symbolsAround(await outlineOf(server, item.path, waiting.signal), item.range.start);
      const exact = around.findLast((symbol) => comparePositions(symbol.nameRange.start, item.range.start) === 0);
      return {
        name: around.length === 0 ? target.name : around.map((symbol) => symbol.name).join('/'),
        kind: exact?.kind ?? 'symbol',
        path: item.path,
        position: item.range.start,
        context: text?.lineText(item.range.start.line)?.trim() ?? '',
      };
    }),
  );
  const sorted = implementations.sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : comparePositions(a.position, b.position),
  );
  return { implementations: sorted, index };
}
