import { accessSync, constants } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { platform } from '../base/platform/here.ts';
import { childEnvironment, startIndependent } from '../base/processes.ts';

/**
 * Opens an address in the person's browser, if this machine has a way to. The address goes by a file that only the person can read:
 * arguments of a program can be seen by everybody on the machine, and a link lets in who uses it first.
 */
export async function openInBrowser(url: string, runtimeDir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = browserCommand(env);
  if (command === undefined) return false;
  await mkdir(runtimeDir, { recursive: true, mode: 0o700 });
  const file = join(runtimeDir, 'dashboard.html');
  await rm(file, { force: true });
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Sightline</title>\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  const spec = { command, args: [pathToFileURL(file).href], cwd: '/', env: childEnvironment(env), name: 'the browser' };
  await startIndependent(spec, join(runtimeDir, 'browser.log'));
  return true;
}

function browserCommand(env: NodeJS.ProcessEnv): string | undefined {
  const own = env['BROWSER'];
  if (own !== undefined && own !== '') return onPath(own, env);
  const opener = platform.customs.opener(env);
  return opener === undefined ? undefined : onPath(opener, env);
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const candidates = name.includes('/')
    ? [name]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
