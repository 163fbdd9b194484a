import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import { askReferences, keyOf } from '../queries/requests/references.ts';
import { accountFor, type Account, type PossibleUse } from './accounting.ts';
import { natureOf } from './nature.ts';
import { withoutLibraryMembers } from './libraryMembers.ts';
import { memberByReceiver } from './receivers.ts';
import { wordPlaces } from './words.ts';

/**
 * The uses of a symbol: those that are sure, those that may be, and whether that is all. References, callers and every refactoring that
 * must know them ask here and nowhere else, so that none of them knows of a use that another does not.
 */
export interface Uses {
  declarations: FileRange[];
  /** What the server resolved to the symbol, its declarations included. */
  resolved: FileRange[];
  /** Places with its name that the server did not resolve to anything else. */
  possible: PossibleUse[];
  overrides: Account['overrides'];
  /** Places with its name that were too many to ask about. */
  unchecked: number;
  /** Every other place with its name in the code was resolved to something else. */
  isComplete: boolean;
}

export async function findUses(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  signal?: AbortSignal,
  onDefinitions?: (definitions: readonly FileRange[]) => void,
): Promise<Uses> {
  // They need no server: they are looked for while the server works.
  const { repairs } = server.definition;
  const inComponents = repairs?.unreadUses?.(workspace, target.name, signal) ?? Promise.resolve([]);
  const words = wordPlaces(workspace, target.name, Object.keys(server.definition.languages), signal);
  for (const looking of [inComponents, words]) looking.catch(() => undefined);
  const first = await askReferences(server, target, signal, onDefinitions);
  const behind = first.locations.length > 0 ? undefined : await memberByReceiver(workspace, server, target, signal);
  const { declarations, locations, definitions } =
    behind === undefined ? first : await askReferences(server, behind, signal);
  const others = (await repairs?.sameSymbol?.(server, target, { declarations, definitions }, signal)) ?? [];
  for (const other of others) {
    const more = await askReferences(server, other, signal);
    declarations.push(...more.declarations);
    locations.push(...more.locations);
  }
  const module = (await repairs?.moduleUses?.(workspace, server, target.name, definitions, signal)) ?? {
    references: [],
    complete: true,
  };
  const told = dedupe([...locations, ...declarations, ...module.references]);
  const { own: known, possible } = await withoutLibraryMembers(workspace, server, declarations, told, signal);
  const account = await accounted(
    workspace,
    server,
    target,
    { declarations, known, doubted: possible, words: await words },
    signal,
  );
  const unread = (await inComponents).map((place): PossibleUse => ({ ...place, doubt: 'unread' }));
  const doubted = [...possible, ...account.possible, ...unread];
  return {
    declarations,
    resolved: dedupe([...known, ...account.references]),
    possible: doubted,
    overrides: account.overrides,
    unchecked: account.unchecked,
    isComplete: module.complete && doubted.length === 0 && account.unchecked === 0,
  };
}

async function accounted(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { name }: Target,
  found: {
    declarations: readonly FileRange[];
    known: readonly FileRange[];
    doubted: readonly FileRange[];
    words: Awaited<ReturnType<typeof wordPlaces>>;
  },
  signal: AbortSignal | undefined,
): Promise<Account> {
  const [declared] = found.declarations;
  const nothing: Account = { references: [], possible: [], overrides: [], unchecked: 0 };
  if (declared === undefined || server.definition.untypedExtensions === undefined) return nothing;
  const keys = new Set([...found.known, ...found.doubted].map(keyOf));
  const rest = found.words.filter((place) => !keys.has(keyOf(place)));
  if (rest.length === 0) return nothing;
  const key = [name, ...found.declarations.map(keyOf), found.known.length, rest.length].join('\0');
  // Taken now: what is worked out while files change is of the state before.
  const accounts = accountsOf(workspace);
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const nature = await natureOf(workspace, server, declared, name, signal);
  const account = await accountFor(
    workspace,
    server,
    { name, nature, declarations: found.declarations, known: found.known },
    rest,
    signal,
  );
  accounts.set(key, account);
  return account;
}

/** The accounts of one state of the project: the pages of an answer, and the next question about the symbol, need none of their own. */
const accountsByWorkspace = new WeakMap<CodeWorkspace, { generation: number; known: Map<string, Account> }>();

function accountsOf(workspace: CodeWorkspace): Map<string, Account> {
  const { generation } = workspace;
  const kept = accountsByWorkspace.get(workspace);
  if (kept?.generation === generation && kept.known.size < maxAccounts) return kept.known;
  const fresh = { generation, known: new Map<string, Account>() };
  accountsByWorkspace.set(workspace, fresh);
  return fresh.known;
}

const maxAccounts = 64;

function dedupe(locations: readonly FileRange[]): FileRange[] {
  return [...new Map(locations.map((location) => [keyOf(location), location])).values()];
}
