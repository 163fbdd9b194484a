import { basename, join } from 'node:path';
import { isInside } from '../../base/paths.ts';
import { Companion } from './companion.ts';
import { livingIdes, type FoundIde } from './discoveryFiles.ts';
import type { IdeActions } from './ideActions.ts';
import { ideName, record } from './ideMcp.ts';

/** Where Qwen Code looks for IDEs. */
export function qwenFolder(home: string): string {
  return join(home, '.qwen', 'ide');
}

/** The IDE that Qwen Code looks for: the protocol of Gemini CLI behind a file of its own. Undefined when a real one has this folder open. */
export async function openQwenIde(folder: string, actions: IdeActions): Promise<Companion | undefined> {
  const { root } = actions.project;
  const others = await livingIdes(folder, readLock, ideName);
  if (others.some(({ folders, pid }) => pid !== process.pid && folders.some((each) => isInside(each, root))))
    return undefined;
  return Companion.open(
    {
      clientName: 'Qwen Code',
      folder,
      fileName: (port) => `${port}.lock`,
      content: (port, authToken) => ({
        port: String(port),
        workspacePath: root,
        authToken,
        ppid: process.pid,
        ideName,
        ideInfo: { name: 'sightline', displayName: ideName },
      }),
    },
    actions,
  );
}

function readLock(file: string, text: string): FoundIde | undefined {
  if (!/^\d+\.lock$/.test(basename(file))) return undefined;
  const { workspacePath, ppid, ideName: name } = record(JSON.parse(text));
  return {
    file,
    pid: typeof ppid === 'number' ? ppid : undefined,
    folders: typeof workspacePath === 'string' ? workspacePath.split(':').filter((each) => each !== '') : [],
    name: typeof name === 'string' ? name : undefined,
  };
}
