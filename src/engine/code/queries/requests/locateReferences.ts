import type { Location as WireLocation } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../../base/paths.ts';
import type { Range } from '../../../../base/positions.ts';
import { fromWireLocation, toWirePosition, type FileRange } from '../../../../protocol/lsp/convert.ts';
import { noSymbolAt, type Target } from '../../addressing.ts';
import type { Asked, CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { worstState, type IndexState, type Waiting } from '../../model.ts';
import { componentUses } from '../../servers/typescript/componentUses.ts';
import { commonJsReferences } from '../../servers/typescript/commonJsReferences.ts';
import { askDefinition } from './definition.ts';
import { pythonModuleReferences } from '../../servers/python/modules.ts';
import { pythonCounterparts, pythonRedefinitions } from '../../servers/python/redefinitions.ts';
import { memberByReceiver, unresolvedMembers, type UnresolvedMembers } from '../fallback/unresolvedMembers.ts';

export interface LocatedReferences extends RawReferences {
  server: LanguageServer;
  index: IndexState;
  unresolved: UnresolvedMembers;
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
  const { answer, state } = await server.askWhenReady(waiting, () =>
    gatherReferences(workspace, server, target, waiting.signal, (definitions) =>
      asked.onDefinitions?.(server, definitions),
    ),
  );
  const { declarations, locations, complete, unresolved } = answer;
  if (locations.length === 0 && state.state === 'ready') throw noSymbolAt(workspace, target);
  const index = complete
    ? state
    : worstState([state, { state: 'partial', detail: 'too many places with this name to look at each' }]);
  return { server, declarations, locations, index, unresolved };
}

/** What the server knows, and what is known to be missing from it. */
export async function gatherReferences(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  signal?: AbortSignal,
  onDefinitions?: (definitions: readonly FileRange[]) => void,
): Promise<RawReferences & { complete: boolean; unresolved: UnresolvedMembers }> {
  // It needs no server: it is looked for while the server works.
  const inComponents = componentUses(workspace, server, target.name, signal);
  inComponents.catch(() => undefined);
  const first = await askReferences(server, target, signal, onDefinitions);
  const behind = first.locations.length > 0 ? undefined : await memberByReceiver(workspace, server, target, signal);
  const { declarations, locations, definitions } =
    behind === undefined ? first : await askReferences(server, behind, signal);
  const others = [
    ...(await pythonRedefinitions(server, target, declarations, signal)),
    ...(await pythonCounterparts(server, target, declarations[0] ?? definitions[0], signal)),
  ];
  for (const other of others) {
    const more = await askReferences(server, other, signal);
    declarations.push(...more.declarations);
    locations.push(...more.locations);
  }
  const module = await pythonModuleReferences(workspace, server, target.name, definitions, signal);
  const own = dedupe([...locations, ...declarations, ...module.references]);
  const exported = await commonJsReferences(workspace, server, target.name, own, signal);
  const known = dedupe([...own, ...exported.references]);
  const members = await unresolvedMembers(workspace, server, target.name, declarations[0], known, signal);
  const unresolved = { ...members, possible: [...members.possible, ...(await inComponents)] };
  return {
    declarations,
    locations: [...known, ...unresolved.references],
    complete: module.complete && exported.complete,
    unresolved,
  };
}

interface RawReferences {
  declarations: FileRange[];
  locations: FileRange[];
}

export async function askReferences(
  server: LanguageServer,
  target: Target,
  signal?: AbortSignal,
  onDefinitions?: (definitions: readonly FileRange[]) => void,
): Promise<RawReferences & { definitions: FileRange[] }> {
  const place = { textDocument: { uri: pathToUri(target.path) }, position: toWirePosition(target.position) };
  const options = signal === undefined ? {} : { signal };
  const askDefinitions = async () => {
    const found = await askDefinition(server, 'textDocument/definition', target, signal);
    onDefinitions?.(found);
    return found;
  };
  const [references, definitions] = await Promise.all([
    server.request<WireLocation[] | null>(
      'textDocument/references',
      { ...place, context: { includeDeclaration: true } },
      options,
    ),
    askDefinitions(),
  ]);
  const locations = (references ?? []).map(fromWireLocation);
  const keys = new Set(locations.map(keyOf));
  // A definition that is not among the references belongs to something else the position also touches (an import's module).
  const declarations = definitions.filter((definition) => keys.has(keyOf(definition)));
  return { declarations, locations, definitions };
}

function dedupe(locations: readonly FileRange[]): FileRange[] {
  return [...new Map(locations.map((location) => [keyOf(location), location])).values()];
}

export function keyOf(location: { path: string; range: Range }): string {
  return `${location.path}:${location.range.start.line}:${location.range.start.column}`;
}
