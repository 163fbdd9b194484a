import { chmod, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrnoException } from '../../base/errors.ts';
import { writeFileDurably } from '../../base/stateFile.ts';

/** What the discovery file of some IDE says; of another program, so nothing of it is sure. */
export interface FoundIde {
  file: string;
  pid: number | undefined;
  folders: readonly string[];
  name: string | undefined;
}

/** A file that tells a command line of this user where we are and what to say there: for nobody else to read. */
export async function publishPrivately(folder: string, name: string, content: unknown): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // It may have been there before, with the rights of somebody's umask; it holds tokens.
  await chmod(folder, 0o700);
  const path = join(folder, name);
  await writeFileDurably(path, JSON.stringify(content));
  return path;
}

/** The IDEs that have told of themselves here and live. Files of ours whose process is gone are taken away; others are left alone. */
export async function livingIdes(
  folder: string,
  read: (file: string, text: string) => FoundIde | undefined,
  ourName: string,
): Promise<FoundIde[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isErrnoException(error, 'ENOENT')) return [];
    throw error;
  });
  const living: FoundIde[] = [];
  for (const name of names) {
    const file = join(folder, name);
    const found = await readFile(file, 'utf8')
      .then((text) => read(file, text))
      .catch(() => undefined);
    if (found === undefined) continue;
    if (isAlive(found.pid)) living.push(found);
    else if (found.name === ourName) await rm(file, { force: true });
  }
  return living;
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrnoException(error, 'EPERM');
  }
}
