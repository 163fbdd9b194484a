import { appDirs } from '../../base/appDirs.ts';
import { sightlineBuild, sightlineVersion } from '../../base/version.ts';
import { findShared } from '../../server/daemon/discovery.ts';
import { connectShared, type SharedConnection } from '../../server/daemon/connect.ts';
import { helloVersion, type Hello, type LostConnection } from '../../server/daemon/hello.ts';
import type { StdioOptions } from '../stdioOptions.ts';
import { Link } from './link.ts';
import { readPreparedAnswers } from './preparedAnswers.ts';
import { Shim } from './shim.ts';

/** Runs until the client leaves. stdout carries nothing but JSON-RPC. */
export function runShim(options: StdioOptions, env: NodeJS.ProcessEnv, entry: string): void {
  const { face, toolsets, output, project, isProjectGiven } = options;
  const dirs = appDirs(env);
  const firstHello: Omit<Hello, 'token'> = {
    sightline: helloVersion,
    kind: 'mcp',
    version: sightlineVersion,
    face,
    toolsets,
    output,
    cwd: project,
    isProjectGiven,
    env,
    pid: process.pid,
  };
  const link = new Link(open, sightlineBuild);
  const shim = new Shim({
    input: process.stdin,
    output: process.stdout,
    answers: readPreparedAnswers(face),
    toolListIsPrepared:
      toolsets.length === 0 && output === undefined && !isHosted(env) && !isOfAnotherBuild(dirs.runtime),
    link,
    onEnd: () => {
      link.close();
      process.exit(0);
    },
  });
  shim.start();

  async function open(lost: LostConnection | undefined): Promise<SharedConnection> {
    const hello = lost === undefined ? firstHello : { ...firstHello, lost };
    const found = findShared(dirs.runtime);
    if (found.state === 'running' && found.discovery.build === sightlineBuild) {
      try {
        return await connectShared(found.discovery, hello);
      } catch {
        // It is just ending: the long way finds out.
      }
    }
    const { findOrStart } = await import('../../server/daemon/findOrStart.ts');
    return findOrStart({
      dirs,
      hello,
      build: sightlineBuild,
      entry,
      onNote: (note) => void process.stderr.write(`sightline: ${note}\n`),
    });
  }
}

function isOfAnotherBuild(runtimeDir: string): boolean {
  const found = findShared(runtimeDir);
  return found.state === 'running' && found.discovery.build !== sightlineBuild;
}

/** An agent that this Sightline hosts: which tools it asks for is for its person to see, so the process is asked. */
function isHosted(env: NodeJS.ProcessEnv): boolean {
  return env['SIGHTLINE_THREAD'] !== undefined;
}
