import { mkdtempSync, realpathSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { EditApplier } from '../../src/engine/workspace/edits/applier.ts';
import type { FileOps } from '../../src/engine/workspace/edits/fileOps.ts';
import { LocalHistory, type HistoryLimits } from '../../src/engine/workspace/localHistory/localHistory.ts';
import type { Project } from '../../src/engine/workspace/project.ts';

/** A project in a directory of its own, with an applier and local history beside it. */
export interface Workbench {
  project: Project;
  applier: EditApplier;
  history: LocalHistory;
  write(files: Record<string, string | Buffer>): Promise<void>;
  read(path: string): Promise<string>;
  /** Every file, link and empty directory of the project with mode and content, in one comparable object. */
  tree(): Promise<Record<string, string>>;
  dispose(): Promise<void>;
}

export function workbench(options: { ops?: FileOps; limits?: HistoryLimits; folder?: string } = {}): Workbench {
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'sightline-edits-')));
  const root = join(folder, 'project');
  const project: Project = {
    id: 'p',
    name: 'project',
    root,
    stateDir: join(folder, 'state'),
    env: {},
    trusted: true,
  };
  const history = new LocalHistory({ limits: options.limits });
  // Nothing is compressed behind the back of a test that removes its folders.
  void history.dispose();
  const applier = new EditApplier(history, { ops: options.ops });
  return {
    project,
    applier,
    history,
    async write(files) {
      await mkdir(root, { recursive: true });
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
    },
    read: (path) => readFile(join(root, path), 'utf8'),
    tree: () => treeOf(root),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function treeOf(root: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path);
    const stats = await lstat(path);
    if (entry.isSymbolicLink()) tree[name] = `link ${await readlink(path)}`;
    else if (entry.isDirectory()) {
      if ((await readdir(path)).length === 0) tree[name] = 'empty directory';
    } else tree[name] = `${(stats.mode & 0o7777).toString(8)} ${(await readFile(path)).toString('latin1')}`;
  }
  return tree;
}
