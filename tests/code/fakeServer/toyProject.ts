import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '../../../src/base/logger.ts';
import { CodeEngine } from '../../../src/engine/code/codeEngine.ts';
import type { CodeWorkspace } from '../../../src/engine/code/codeWorkspace.ts';
import type { LanguageServer } from '../../../src/engine/code/languageServer.ts';
import type { ReadinessRules } from '../../../src/engine/code/readiness.ts';
import type { ServerDefinition } from '../../../src/engine/code/servers/definition.ts';
import { removeDirectory, temporaryDirectory, temporaryProject } from '../../harness/harness.ts';

const here = dirname(fileURLToPath(import.meta.url));

export interface ToyOptions {
  id?: string;
  extension?: string;
  readiness?: ReadinessRules;
  /** It says that it is loading until it is told otherwise, and knows only open documents meanwhile. */
  loading?: boolean;
  /** A file of the project that gets a line at every start. */
  log?: string;
}

/** The toy language server (see toyServer.mjs) as the engine sees servers. */
export function toyServer(options: ToyOptions = {}): ServerDefinition {
  const { id = 'toy', extension = 'toy', readiness = { sign: 'answersWait' }, loading, log } = options;
  const behaviour = JSON.stringify({ extension: `.${extension}`, loading, log });
  return {
    id,
    title: `${id} language server`,
    languages: { [extension]: id },
    configFiles: /^toy\.json$/,
    readiness,
    missing: 'It comes with the tests.',
    locate: () => Promise.resolve({ command: process.execPath, args: [join(here, 'toyServer.mjs'), behaviour] }),
    configuration: (section) => (section === 'toy' ? { level: 3 } : undefined),
  };
}

export interface ToyProject {
  root: string;
  engine: CodeEngine;
  workspace: CodeWorkspace;
  /** The running server of that id. */
  server(id?: string): LanguageServer;
  facts(id?: string): Promise<ToyFacts>;
  dispose(): Promise<void>;
}

export interface ToyFacts {
  opened: string[];
  changed: string[];
  closed: string[];
  watched: string[];
  configuration: unknown;
  applied: unknown;
}

export async function toyProject(
  files: Record<string, string>,
  definitions: readonly ServerDefinition[],
  memoryBudgetBytes?: number,
): Promise<ToyProject> {
  const root = await temporaryProject(files);
  const stateDir = await temporaryDirectory('state');
  const engine = new CodeEngine({
    logger: silentLogger,
    definitions,
    linters: [],
    ...(memoryBudgetBytes === undefined ? {} : { memoryBudgetBytes }),
  });
  const env = { PATH: process.env['PATH'] };
  const workspace = engine.workspace({ id: 'toy', name: 'toy', root, stateDir, env, trusted: true });
  const server = (id = 'toy'): LanguageServer => {
    const found = engine.pool.servers.find((candidate) => candidate.definition.id === id);
    if (found === undefined) throw new Error(`No ${id} server runs.`);
    return found;
  };
  return {
    root,
    engine,
    workspace,
    server,
    facts: (id) => server(id).client.request<ToyFacts>('toy/facts', {}),
    async dispose() {
      await engine.dispose();
      await removeDirectory(root);
      await removeDirectory(stateDir);
    },
  };
}
