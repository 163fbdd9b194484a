import type { Socket } from 'node:net';
import { appDirs } from '../base/appDirs.ts';
import { DisposableStore } from '../base/disposable.ts';
import { ToolError, isErrnoException } from '../base/errors.ts';
import { randomToken } from '../base/ids.ts';
import { reapOrphans } from '../base/processes.ts';
import { removeLeftFolders } from '../base/scratchFolders.ts';
import { sightlineBuild, sightlineVersion } from '../base/version.ts';
import type { Settings } from '../engine/workspace/settings/settings.ts';
import { EditorFeeds } from './editors/editorFeeds.ts';
import { IdleWatch } from '../server/daemon/idleWatch.ts';
import { SharedProcess } from '../server/daemon/sharedProcess.ts';
import { HttpServer, type HttpServerOptions } from '../server/http/httpServer.ts';
import { lastingToken } from '../server/http/lastingToken.ts';
import { faceRoutes } from '../server/http/routes.ts';
import { faceEndpoints } from '../server/mcp/faceEndpoints.ts';
import { serveStdio } from '../server/mcp/stdio.ts';
import type { Hello } from '../server/daemon/hello.ts';
import { compose, type ComposeOptions, type Sightline } from './compose.ts';
import { controlHandlers } from './controlHandlers.ts';

interface ProcessOptions extends ComposeOptions {
  /** Leaves by itself when nobody needs it. One in the foreground stays until it is told to go. */
  leavesWhenIdle: boolean;
  host?: string;
  port?: number;
  /** False only by `--no-auth`, and only on loopback. */
  auth?: boolean;
  onEnd(reason: string): void;
}

/** A whole Sightline process: composed, listening and published for shims to find. */
export interface RunningProcess {
  sightline: Sightline;
  shared: SharedProcess;
  http: HttpServer;
  dispose(): Promise<void>;
}

/** Throws `AlreadyRunningError` when another process of this user is the shared one. */
export async function runProcess(options: ProcessOptions, runtimeDir: string): Promise<RunningProcess> {
  const lock = SharedProcess.takeLock(runtimeDir);
  const owned = new DisposableStore();
  // Also when the end is cut short.
  const release = () => lock.release();
  process.once('exit', release);
  owned.addFunction(() => {
    process.off('exit', release);
    release();
  });
  try {
    const reaped = reapOrphans();
    const sightline = owned.add(await compose(options));
    const { logger } = sightline;
    if (reaped.length > 0) logger.warn(`Ended ${reaped.length} processes that a killed Sightline had left.`, reaped);
    // Nobody waits for it.
    void removeLeftFolders().catch((error: unknown) => logger.warn('Temporary folders are left.', error));
    const token = randomToken();
    sightline.redactor.add(token);
    const parts = { backend: sightline.backend, resources: sightline.resources, version: sightlineVersion };
    const endpoints = faceEndpoints(parts, logger.tagged('http'));
    for (const endpoint of Object.values(endpoints)) owned.add(endpoint);
    const http = owned.add(
      await startHttp(options, sightline, {
        host: options.host,
        token: options.auth === false ? undefined : openingTokens(token, sightline, options.env),
        routes: [...faceRoutes(endpoints), ...sightline.dashboard.routes],
        logger: logger.tagged('http'),
      }),
    );
    sightline.dashboard.listensOn(http.url);
    sightline.dashboard.onStop = (reason) => options.onEnd(reason);
    // An editor may be open all day; it does not keep the process.
    const editors = new EditorFeeds(sightline);
    const reasonsToStay = () => [
      ...(options.leavesWhenIdle ? [] : ['a terminal it runs in']),
      ...clientsOf(sightline),
      ...sightline.work(),
      ...(sightline.dashboard.pages > 0 ? ['an open dashboard'] : []),
    ];
    const idle = owned.add(
      new IdleWatch({
        idleMs: options.leavesWhenIdle ? idleMsOf(sightline.settings.person) : 0,
        reasonsToStay: () => [...reasonsToStay(), ...(shared.connections > editors.count ? ['connections'] : [])],
        onIdle: () => options.onEnd('idle'),
      }),
    );
    const shared: SharedProcess = await SharedProcess.start(lock, {
      runtimeDir,
      version: sightlineVersion,
      build: sightlineBuild,
      token,
      url: http.url,
      logger,
      handlers: controlHandlers({
        sightline,
        idle,
        url: http.url,
        reasonsToStay,
        stop: (reason) => options.onEnd(reason),
      }),
      serveMcp: (hello, socket) => serveShim(sightline, parts, hello, socket),
      serveEditor: (_hello, socket) => editors.serve(socket),
      onProblem: (message) => sightline.notifications.add({ level: 'warning', source: 'process', message }),
    });
    owned.add(shared);
    logger.info(`Sightline ${sightlineVersion} (${sightlineBuild}) runs as process ${process.pid} on ${http.url}.`);
    return { sightline, shared, http, dispose: () => owned.dispose() };
  } catch (error) {
    await owned.dispose();
    throw error;
  }
}

/** The token of this run, and the one that a person had made for agents that come by HTTP. */
function openingTokens(token: string, { redactor }: Sightline, env: NodeJS.ProcessEnv): () => string[] {
  const { config } = appDirs(env);
  return () => {
    const lasting = lastingToken(config);
    if (lasting === undefined) return [token];
    redactor.add(lasting);
    return [token, lasting];
  };
}

/** A port that the person asked for now must be free; one from the settings only should be: agents need the process more. */
async function startHttp(
  options: ProcessOptions,
  { settings, notifications }: Sightline,
  server: Omit<HttpServerOptions, 'port'>,
): Promise<HttpServer> {
  const port = options.port ?? settings.person['server.port'];
  try {
    return await HttpServer.start({ ...server, port });
  } catch (error) {
    if (!isErrnoException(error, 'EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL')) throw error;
    const message = `Port ${port} on ${server.host ?? 'loopback'} cannot be used (${error.code}).`;
    if (options.port !== undefined || options.host !== undefined)
      throw new ToolError('unsupported', message, { hint: 'Choose another with --port, or leave it out.' });
    notifications.add({ level: 'warning', source: 'process', message: `${message} A free one was taken instead.` });
    return HttpServer.start({ ...server, port: 0 });
  }
}

function serveShim(sightline: Sightline, parts: Parameters<typeof serveStdio>[0], hello: Hello, socket: Socket): void {
  const { face, toolsets, output, cwd, isProjectGiven, env, lost } = hello;
  const notices = lost === undefined ? [] : [lostNotice(lost.pid)];
  const connection = serveStdio(
    parts,
    { input: socket, output: socket },
    { name: 'stdio', transport: 'stdio', face, toolsets, output, cwd, isProjectGiven, env, notices },
    sightline.logger.tagged('stdio'),
  );
  socket.resume();
  connection.ended
    .catch((error: unknown) => sightline.logger.error('Letting go of a client failed.', error))
    // A shim whose connection nobody serves any more must see that, and connect anew.
    .finally(() => socket.destroy());
}

/** What a client should know that had debug sessions or jobs: nobody else can tell it why they are gone. */
function lostNotice(pid: number): string {
  const what =
    pid === process.pid
      ? 'the connection to the Sightline process broke'
      : `the Sightline process (${pid}) ended from outside and was started anew`;
  return `Since your last call ${what}: debug sessions, running programs and tool sets that were turned on are gone`;
}

/** Command lines and pages come and go; what they leave running is counted as work. */
function clientsOf(sightline: Sightline): string[] {
  return sightline.backend.clients
    .filter((client) => client.transport !== 'cli' && client.transport !== 'dashboard')
    .map((client) => `client ${client.name}`);
}

/** In milliseconds for tests that wait for it; people set minutes. */
function idleMsOf(settings: Settings): number {
  return settings['server.idleExitMinutes'] * 60_000;
}
