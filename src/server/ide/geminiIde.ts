import { lstat, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import { isInside } from '../../base/paths.ts';
import { Companion } from './companion.ts';
import { livingIdes, type FoundIde } from './discoveryFiles.ts';
import type { IdeActions } from './ideActions.ts';
import { ideName, record } from './ideMcp.ts';

/** Where Gemini CLI looks for IDEs: below the folder for temporary files, whoever's that is. */
export function geminiFolder(temporary: string): string {
  return join(temporary, 'gemini', 'ide');
}

/** The IDE that Gemini CLI looks for. Undefined when a real one has this folder open. */
export async function openGeminiIde(folder: string, actions: IdeActions): Promise<Companion | undefined> {
  const { root } = actions.project;
  await mustBeOurs(dirname(folder));
  const others = await livingIdes(folder, readFile, ideName);
  if (others.some(({ folders, pid }) => pid !== process.pid && folders.some((each) => isInside(each, root))))
    return undefined;
  return Companion.open(
    {
      clientName: 'Gemini CLI',
      folder,
      fileName: (port) => `gemini-ide-server-${process.pid}-${port}.json`,
      content: (port, authToken) => ({
        port: String(port),
        workspacePath: root,
        authToken,
        ideInfo: { name: 'sightline', displayName: ideName },
      }),
    },
    actions,
  );
}

/** Where everybody may write, another user may have made the folder first, and could put a file of theirs in the place of ours. */
async function mustBeOurs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new ToolError('permission_denied', `${folder} belongs to somebody else.`);
}

function readFile(file: string, text: string): FoundIde | undefined {
  const [, pid] = /^gemini-ide-server-(\d+)(?:-\d+)?\.json$/.exec(basename(file)) ?? [];
  if (pid === undefined) return undefined;
  const { workspacePath, ideInfo } = record(JSON.parse(text));
  const { displayName } = record(ideInfo);
  return {
    file,
    pid: Number(pid),
    folders: typeof workspacePath === 'string' ? workspacePath.split(':').filter((each) => each !== '') : [],
    name: typeof displayName === 'string' ? displayName : undefined,
  };
}
