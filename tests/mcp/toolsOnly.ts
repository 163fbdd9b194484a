import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { appDirs } from '../../src/base/appDirs.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { ToolError } from '../../src/base/errors.ts';
import { randomToken } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Approvals, defaultPolicy } from '../../src/server/approvals.ts';
import { Backend } from '../../src/server/backend.ts';
import { HttpServer } from '../../src/server/http/httpServer.ts';
import { faceRoutes } from '../../src/server/http/routes.ts';
import { faceEndpoints } from '../../src/server/mcp/faceEndpoints.ts';
import type { IdleTableLimits } from '../../src/server/mcp/idleTable.ts';
import { serveStdio } from '../../src/server/mcp/stdio.ts';
import { Resources, type ResourceProvider } from '../../src/server/resources.ts';
import { ToolRunner } from '../../src/server/toolRunner.ts';
import type { Tool } from '../../src/tools/defineTool.ts';
import type { Engines } from '../../src/tools/engines.ts';
import { faces, type FaceName } from '../../src/tools/faces.ts';
import { TestClient, httpTransport, sseTransport, streamPair } from '../harness/harness.ts';

export interface Way {
  transport: 'http' | 'sse' | 'stdio';
  era: 'legacy' | 'auto';
}

/** Every way in, for tests that must hold for all of them. */
export const ways: (Way & { name: string })[] = [
  { name: 'Streamable HTTP, 2025', transport: 'http', era: 'legacy' },
  { name: 'Streamable HTTP, 2026', transport: 'http', era: 'auto' },
  { name: 'HTTP+SSE', transport: 'sse', era: 'legacy' },
  { name: 'stdio, 2025', transport: 'stdio', era: 'legacy' },
  { name: 'stdio, 2026', transport: 'stdio', era: 'auto' },
];

export interface ToolsOnlyOptions {
  resources?: ResourceProvider;
  limits?: IdleTableLimits;
}

/** The product's runner, backend and transports around tools that a test declares itself. */
export async function toolsOnly(tools: readonly Tool[], options: ToolsOnlyOptions = {}) {
  const owned = new DisposableStore();
  const approvals = new Approvals();
  const runner = new ToolRunner({
    findTool: (name) => {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined) throw new ToolError('unknown_tool', `There is no tool "${name}".`);
      return tool;
    },
    engines: { dirs: appDirs({ SIGHTLINE_HOME: '/nowhere' }) } as Engines,
    approvals,
    logger: silentLogger,
    recorder: { begin: () => undefined, end: () => undefined },
    policyFor: () => defaultPolicy,
    resolveProject: async () => {
      throw new ToolError('project_not_found', 'There are no projects here.');
    },
    resolvePath: async (_project, path) => path,
    preconditions: { session: () => undefined, pausedSession: () => undefined, trustedProject: () => undefined },
  });
  const backend = owned.add(new Backend(runner, approvals, silentLogger));
  const parts = {
    backend,
    resources: new Resources(options.resources === undefined ? [] : [options.resources]),
    version: '0.0.0',
  };
  const endpoints = faceEndpoints(parts, silentLogger, options.limits);
  for (const endpoint of Object.values(endpoints)) owned.add(endpoint);
  const token = randomToken();
  const http = await HttpServer.start({ token, routes: faceRoutes(endpoints), logger: silentLogger });
  owned.add(http);
  const connect = async (
    way: Way,
    more: { name?: string; face?: FaceName; client?: ClientOptions; prepare?: (client: Client) => void } = {},
  ): Promise<TestClient> => {
    const face = more.face ?? 'debugger';
    const clientOptions = {
      ...more.client,
      ...(more.name === undefined ? {} : { name: more.name }),
      versionNegotiation: { mode: way.era },
    };
    if (way.transport === 'stdio') {
      const pair = streamPair();
      const connection = serveStdio(parts, pair.server, { name: 'x', transport: 'embedded', face }, silentLogger);
      owned.add(connection);
      return TestClient.connect(pair.client, clientOptions, () => connection.ended, more.prepare);
    }
    const address = `${http.url}${way.transport === 'sse' ? faces[face].ssePath : faces[face].path}`;
    const transport = way.transport === 'sse' ? sseTransport(address, token) : httpTransport(address, token);
    const client = await TestClient.connect(transport, clientOptions, undefined, more.prepare);
    owned.addFunction(() => client.close());
    return client;
  };
  return { backend, approvals, endpoints, http, token, connect, dispose: () => owned.dispose() };
}
