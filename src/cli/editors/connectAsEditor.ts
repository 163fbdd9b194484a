import { appDirs } from '../../base/appDirs.ts';
import { sightlineVersion } from '../../base/version.ts';
import { connectShared, type SharedConnection } from '../../server/daemon/connect.ts';
import { findShared } from '../../server/daemon/discovery.ts';
import { helloVersion } from '../../server/daemon/hello.ts';

/** The process of this user, if it runs; an editor that is opened is no reason to start one. */
export async function connectAsEditor(env: NodeJS.ProcessEnv, cwd: string): Promise<SharedConnection | undefined> {
  const found = findShared(appDirs(env).runtime);
  if (found.state !== 'running') return undefined;
  return connectShared(found.discovery, {
    sightline: helloVersion,
    kind: 'editor',
    version: sightlineVersion,
    face: 'all',
    toolsets: [],
    cwd,
    env: {},
    pid: process.pid,
  });
}
