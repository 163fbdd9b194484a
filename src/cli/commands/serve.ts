import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { appDirs } from '../../base/appDirs.ts';
import { delay } from '../../base/cancellation.ts';
import { ToolError } from '../../base/errors.ts';
import { endOwned } from '../../base/processes.ts';
import type { ControlClient } from '../../server/daemon/controlClient.ts';
import { discoveryPath } from '../../server/daemon/discovery.ts';
import { AlreadyRunningError } from '../../server/daemon/sharedProcess.ts';
import { agentCommand } from '../agentCommand.ts';
import { UsageError, type Command, type CommandContext } from '../command.ts';
import { connectText } from '../connectText.ts';
import { stderrSink } from '../logSinks.ts';
import { processLife, type Life } from '../processLife.ts';
import { runProcess, type RunningProcess } from '../runProcess.ts';
import { findRunning } from '../sharedClient.ts';

interface ServeFlags {
  port: number | undefined;
  host: string | undefined;
  auth: boolean;
  projects: string[];
}

export const serve: Command = {
  name: 'serve',
  summary: 'run in the foreground until Ctrl-C',
  usage: `sightline serve [--port N] [--project DIR ...] [--no-auth] [--host ADDRESS --allow-remote]

Is the shared process of this user as long as it runs: agents that start meanwhile join it. If one runs already, serve joins it,
says where it listens, and stays until Ctrl-C.`,
  run: async (words, context) => {
    const flags = parseFlags(words, context);
    let running: RunningProcess | undefined;
    const life = processLife(() => running?.sightline.logger);
    for (let patience = 100; running === undefined; patience--) {
      try {
        running = await runProcess(
          {
            env: context.env,
            serverCommand: [...agentCommand(context.entry, context.env), 'stdio'],
            entry: context.entry,
            logSink: stderrSink('warn'),
            leavesWhenIdle: false,
            host: flags.host,
            port: flags.port,
            auth: flags.auth,
            onEnd: (reason) => life.end(reason),
          },
          appDirs(context.env).runtime,
        );
      } catch (error) {
        if (!(error instanceof AlreadyRunningError) || patience === 0) throw error;
        const control = await findRunning(context).catch(() => undefined);
        if (control !== undefined) return joinRunning(control, context, flags, life);
        // It is just starting, so it will be found, or just ending, so it will make room.
        await delay(100);
      }
    }
    const opened = [];
    for (const path of flags.projects)
      opened.push(await running.sightline.projects.open(path, { env: context.env, trustedByStart: true }));
    const { discovery } = running.shared;
    if (!flags.auth) context.err('sightline: --no-auth: everything on this machine can drive Sightline over HTTP.');
    print(
      context,
      { ...discovery, auth: flags.auth, dashboard: running.sightline.dashboard.newLink() },
      opened.map((project) => project.root),
    );
    context.out('Ctrl-C ends it.');
    const reason = await life.ending;
    running.sightline.logger.info(`The process ends: ${reason}.`);
    await running.dispose();
    endOwned();
    return 0;
  },
};

async function joinRunning(
  control: ControlClient,
  context: CommandContext,
  flags: ServeFlags,
  life: Life,
): Promise<number> {
  try {
    if (flags.port !== undefined || flags.host !== undefined || !flags.auth)
      throw new ToolError('unsupported', `Sightline runs already (process ${control.pid}), with its own address.`, {
        hint: 'End it first: sightline stop',
      });
    const opened = [];
    for (const path of flags.projects) opened.push(await control.request('open', { path }));
    print(
      context,
      {
        ...(await control.request('status', {})),
        auth: true,
        dashboard: (await control.request('dashboardLink', {})).url,
      },
      opened.map((project) => project.path),
    );
    context.out('It was running already; Ctrl-C leaves it running.');
    await Promise.race([control.closed, life.ending]);
    return 0;
  } finally {
    control.dispose();
  }
}

function print(
  context: CommandContext,
  process: { version: string; pid: number; url?: string; auth: boolean; dashboard: string },
  projects: readonly string[],
): void {
  context.out(
    connectText({
      version: process.version,
      pid: process.pid,
      url: process.url,
      project: projects.join(', '),
      command: agentCommand(context.entry, context.env),
      dashboard: process.dashboard,
      tokenFile: process.auth ? discoveryPath(appDirs(context.env).runtime) : undefined,
    }),
  );
}

function parseFlags(words: string[], context: CommandContext): ServeFlags {
  const { values } = parseArgs({
    args: words,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      project: { type: 'string', multiple: true, default: ['.'] },
      'allow-remote': { type: 'boolean', default: false },
      'no-auth': { type: 'boolean', default: false },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new UsageError('--port is a number from 0 to 65535.');
  const isLoopback = values.host === undefined || ['127.0.0.1', '::1', 'localhost'].includes(values.host);
  if (!isLoopback && !values['allow-remote'])
    throw new UsageError('--host other than loopback lets other machines in; say --allow-remote if that is meant.');
  if (!isLoopback && values['no-auth']) throw new UsageError('--no-auth is for loopback only.');
  return {
    port,
    host: values.host,
    auth: !values['no-auth'],
    projects: values.project.map((path) => resolve(context.cwd, path)),
  };
}
