import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import { noSymbolAt, type Target } from '../../addressing.ts';
import type { Asked, CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import type { IndexState, Waiting } from '../../model.ts';
import { currentAnswer } from './currentAnswer.ts';
import { findUses, type Uses } from '../../uses/findUses.ts';

export interface LocatedReferences extends Uses {
  server: LanguageServer;
  index: IndexState;
}

interface Locating extends Asked {
  /** Told while the uses are still being looked for. */
  onDefinitions?(server: LanguageServer, definitions: readonly FileRange[]): void;
}

/** Where a symbol is used, without looking at what stands there. */
export async function locateReferences(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting,
  asked: Locating = {},
): Promise<LocatedReferences> {
  const server = await workspace.requireServer(target.path, asked);
  await server.documents.open(target.path);
  const { signal } = waiting;
  const ask = () =>
    findUses(workspace, server, target, signal, (definitions) => asked.onDefinitions?.(server, definitions));
  const { answer, state } = await server.askWhenReady(waiting, () =>
    currentAnswer(workspace, { server, name: target.name, ask, placesOf: ({ resolved }) => resolved, signal }),
  );
  if (answer.resolved.length === 0 && state.state === 'ready') throw noSymbolAt(workspace, target);
  return { ...answer, server, index: state };
}
