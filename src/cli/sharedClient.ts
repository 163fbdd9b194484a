import { appDirs } from '../base/appDirs.ts';
import { ToolError } from '../base/errors.ts';
import { sightlineBuild, sightlineVersion } from '../base/version.ts';
import { connectShared } from '../server/daemon/connect.ts';
import { ControlClient } from '../server/daemon/controlClient.ts';
import { findShared } from '../server/daemon/discovery.ts';
import { findOrStart } from '../server/daemon/findOrStart.ts';
import { helloVersion, type Hello } from '../server/daemon/hello.ts';
import type { CommandContext } from './command.ts';

/** Connects a command to the shared process, starting it when there is none. */
export async function joinShared(context: CommandContext): Promise<ControlClient> {
  const connection = await findOrStart({
    dirs: appDirs(context.env),
    hello: helloOf(context),
    build: sightlineBuild,
    entry: context.entry,
    onNote: (note) => context.err(`sightline: ${note}`),
  });
  return new ControlClient(connection);
}

/** Connects a command to the shared process if it runs. */
export async function findRunning(context: CommandContext): Promise<ControlClient | undefined> {
  const found = findShared(appDirs(context.env).runtime);
  if (found.state !== 'running') return undefined;
  return new ControlClient(await connectShared(found.discovery, helloOf(context)));
}

export async function mustBeRunning(context: CommandContext): Promise<ControlClient> {
  const client = await findRunning(context);
  if (client === undefined) throw new ToolError('not_running', 'Sightline is not running.');
  return client;
}

function helloOf({ cwd, env }: CommandContext): Omit<Hello, 'token'> {
  return {
    sightline: helloVersion,
    kind: 'control',
    version: sightlineVersion,
    face: 'all',
    toolsets: [],
    cwd,
    env,
    pid: process.pid,
  };
}
