import type { CodeWorkspace } from './codeWorkspace.ts';
import { worstState } from './model.ts';
import { definitionsInUse } from './queries/requests/symbols.ts';

interface IndexStatus {
  /** The seeds' words for "not complete yet". */
  isDumbMode: boolean;
  isIndexing: boolean;
  state: string;
  languages: {
    language: string;
    server: string;
    version?: string;
    state: string;
    detail?: string;
    running: boolean;
    /** Python: whose packages are looked at, and why. */
    interpreter?: { path: string; version?: string; why: string };
    openDocuments?: number;
    memoryMb?: number;
  }[];
  /** How changes by other programs are noticed. */
  watching: string;
}

/** What runs for a project and how complete it is. Starts nothing. */
export async function indexStatus(workspace: CodeWorkspace, signal?: AbortSignal): Promise<IndexStatus> {
  const general = await definitionsInUse(workspace, signal);
  const variants = workspace.runningServers
    .map(({ definition }) => definition)
    .filter(({ id }) => !workspace.definitions.some((definition) => definition.id === id));
  const definitions = [...general, ...variants];
  const languages = await Promise.all(
    definitions.map(async (definition) => {
      const state = workspace.stateOf(definition);
      const server = workspace.runningServers.find((candidate) => candidate.definition.id === definition.id);
      const command = server?.command ?? (await definition.locate(workspace.project));
      const version = server?.version ?? command?.version;
      const missing = command === undefined ? { state: 'unavailable' as const, detail: definition.missing } : {};
      return {
        language: definition.id,
        server: definition.title,
        version,
        ...state,
        ...missing,
        ...(command?.interpreter === undefined ? {} : { interpreter: command.interpreter }),
        ...(server === undefined
          ? {}
          : { openDocuments: server.documents.paths.length, memoryMb: Math.round(server.memoryBytes / 1024 ** 2) }),
      };
    }),
  );
  const overall = worstState(languages.map(({ state }) => ({ state })));
  return {
    isDumbMode: overall.state === 'indexing' || overall.state === 'unavailable',
    isIndexing: overall.state === 'indexing',
    state: overall.state,
    languages,
    watching:
      workspace.watcher.mode === 'events'
        ? `changes are noticed at once (${workspace.watcher.folderCount} folders watched)`
        : 'folders cannot be watched (no handles left?): files are compared on every question',
  };
}
