import type { Client, ClientOptions } from '@modelcontextprotocol/client';
import { DisposableStore } from '../../src/base/disposable.ts';
import { randomToken } from '../../src/base/ids.ts';
import type { LogRecord } from '../../src/base/logger.ts';
import { sightlineVersion } from '../../src/base/version.ts';
import { compose, type ComposeOptions, type Sightline } from '../../src/cli/compose.ts';
import { HttpServer } from '../../src/server/http/httpServer.ts';
import { faceRoutes, type Route } from '../../src/server/http/routes.ts';
import { faceEndpoints } from '../../src/server/mcp/faceEndpoints.ts';
import type { FaceServerParts } from '../../src/server/mcp/faceServer.ts';
import type { IdleTableLimits } from '../../src/server/mcp/idleTable.ts';
import { serveStdio } from '../../src/server/mcp/stdio.ts';
import { faces, type FaceName, type OutputForm } from '../../src/tools/faces.ts';
import { testCacheDir } from '../support/engines.ts';
import { removeDirectory, temporaryDirectory, temporaryProject } from './temporary.ts';
import { TestClient, httpTransport, sseTransport, streamPair } from './testClient.ts';

export interface StartOptions {
  /** A folder to copy, or files by name. Opened and trusted, as if a person had started Sightline in it. */
  project?: string | Readonly<Record<string, string>>;
  /** Environment of the process and of the project's engines, beyond PATH and HOME. */
  env?: NodeJS.ProcessEnv;
  /** Default true. */
  trusted?: boolean;
  /** Languages besides those of the program. */
  servers?: ComposeOptions['servers'];
  adapters?: ComposeOptions['adapters'];
  limits?: IdleTableLimits;
  /** The program that agents would start, where a test installs it. */
  entry?: string;
}

export interface ConnectOptions {
  face?: FaceName;
  /** `stdio` runs the product's stdio server in this process, with the project as the client's directory. */
  transport?: 'http' | 'sse' | 'stdio';
  /** The protocol's era; `auto` asks for the newest. */
  era?: 'legacy' | 'auto';
  toolsets?: string;
  output?: OutputForm;
  name?: string;
  client?: ClientOptions;
  /** Called before connecting, to set request handlers (elicitation) and the like. */
  prepare?: (client: Client) => void;
}

/** A whole Sightline in this process, on a home of its own and a copy of a project. Dispose it in `afterEach` or `afterAll`. */
export interface RunningSightline {
  /** The copied project's real path; `''` without one. */
  readonly root: string;
  readonly home: string;
  readonly token: string;
  readonly url: string;
  readonly sightline: Sightline;
  /** The table that the server serves from. */
  readonly routes: readonly Route[];
  /** Everything that was logged. */
  readonly log: readonly LogRecord[];
  connect(options?: ConnectOptions): Promise<TestClient>;
  dispose(): Promise<void>;
}

export async function startSightline(options: StartOptions = {}): Promise<RunningSightline> {
  const owned = new DisposableStore();
  const home = await temporaryDirectory('home');
  owned.addFunction(() => removeDirectory(home));
  const root = options.project === undefined ? '' : await temporaryProject(options.project);
  if (root !== '') owned.addFunction(() => removeDirectory(root));
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    SIGHTLINE_HOME: home,
    // Engines that a question needs are fetched into the cache: the one that survives the run, unless a test wants its own.
    SIGHTLINE_CACHE: testCacheDir,
    ...options.env,
  };
  const log: LogRecord[] = [];
  const sightline = await compose({
    env,
    entry: options.entry,
    servers: options.servers,
    adapters: options.adapters,
    logSink: (record) => void log.push(record),
  });
  owned.add(sightline);
  if (root !== '') await sightline.projects.open(root, { env, trustedByStart: options.trusted ?? true });

  const parts: FaceServerParts = {
    backend: sightline.backend,
    resources: sightline.resources,
    version: sightlineVersion,
  };
  const token = randomToken();
  const endpoints = faceEndpoints(parts, sightline.logger, options.limits);
  for (const endpoint of Object.values(endpoints)) owned.add(endpoint);
  const routes = [...faceRoutes(endpoints), ...sightline.dashboard.routes];
  const http = await HttpServer.start({ token, routes, logger: sightline.logger });
  owned.add(http);
  sightline.dashboard.listensOn(http.url);

  const connect = async (wanted: ConnectOptions = {}): Promise<TestClient> => {
    const face = wanted.face ?? 'default';
    const clientOptions = {
      ...wanted.client,
      versionNegotiation: { mode: wanted.era ?? 'legacy' } as const,
      ...(wanted.name === undefined ? {} : { name: wanted.name }),
    };
    if (wanted.transport === 'stdio') {
      const pair = streamPair();
      const info = { name: 'stdio', transport: 'embedded', face, cwd: root, env } as const;
      const connection = serveStdio(
        parts,
        pair.server,
        { ...info, ...(wanted.output === undefined ? {} : { output: wanted.output }) },
        sightline.logger,
      );
      owned.add(connection);
      return TestClient.connect(pair.client, clientOptions, () => connection.ended, wanted.prepare);
    }
    const query = new URLSearchParams({
      ...(wanted.toolsets === undefined ? {} : { toolsets: wanted.toolsets }),
      ...(wanted.output === undefined ? {} : { output: wanted.output }),
    });
    const isSse = wanted.transport === 'sse';
    const path = isSse ? faces[face].ssePath : faces[face].path;
    const address = `${http.url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
    const transport = isSse ? sseTransport(address, token) : httpTransport(address, token);
    const client = await TestClient.connect(transport, clientOptions, undefined, wanted.prepare);
    owned.addFunction(() => client.close());
    return client;
  };
  return { root, home, token, url: http.url, sightline, routes, log, connect, dispose: () => owned.dispose() };
}
