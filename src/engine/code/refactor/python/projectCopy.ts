import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../../../../base/paths.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import type { TreeChange } from './typeChecker.ts';

/** A copy of some files of a project, on which a change can be carried out and taken back. */
export class ProjectCopy {
  readonly root: string;
  readonly #source: string;
  /** The files as they were when they were copied, by their relative paths. */
  readonly #stamps = new Map<string, string>();
  /** Folders (by a slash at the end) and files before a change that is to be taken back. */
  #before: Set<string> | undefined;
  #written: string[] = [];

  constructor(source: string, root: string) {
    this.#source = source;
    this.root = root;
  }

  /** Makes the copy what the project is now. */
  async follow(files: readonly string[]): Promise<TreeChange[]> {
    const now = new Map(
      await Promise.all(files.map(async (file) => [file, await stampOf(join(this.#source, file))] as const)),
    );
    const fresh = [...now].filter(([file, stamp]) => stamp !== undefined && stamp !== this.#stamps.get(file));
    const gone = [...this.#stamps.keys()].filter((file) => now.get(file) === undefined);
    if (fresh.length === 0 && gone.length === 0) return [];
    const before = this.#stamps.size === 0 ? new Set<string>() : await entriesBelow(this.root);
    for (const folder of new Set(fresh.map(([file]) => dirname(join(this.root, file)))))
      await mkdir(folder, { recursive: true });
    await Promise.all(fresh.map(([file]) => this.#restore(file)));
    for (const [file, stamp] of fresh) if (stamp !== undefined) this.#stamps.set(file, stamp);
    for (const file of gone) {
      this.#stamps.delete(file);
      await rm(join(this.root, file), { force: true });
      await this.#removeEmpty(dirname(file));
    }
    return this.#changes(
      before,
      await entriesBelow(this.root),
      fresh.map(([file]) => file),
    );
  }

  async carryOut(operations: readonly FileOperation[]): Promise<TreeChange[]> {
    this.#before = await entriesBelow(this.root);
    this.#written = [];
    for (const operation of operations) await this.#carryOut(operation);
    return this.#changes(this.#before, await entriesBelow(this.root), this.#written);
  }

  async takeBack(): Promise<TreeChange[]> {
    const [before, now] = [this.#before ?? new Set<string>(), await entriesBelow(this.root)];
    for (const entry of now) if (!before.has(entry)) await rm(join(this.root, entry), { recursive: true, force: true });
    const changed = this.#written.filter((file) => before.has(file));
    for (const entry of before) {
      if (entry.endsWith('/')) await mkdir(join(this.root, entry), { recursive: true });
    }
    for (const file of new Set([...changed, ...[...before].filter((entry) => !entry.endsWith('/') && !now.has(entry))]))
      await this.#restore(file);
    this.#before = undefined;
    return this.#changes(now, before, changed);
  }

  async #restore(file: string): Promise<void> {
    await copyFile(join(this.#source, file), join(this.root, file));
  }

  async #carryOut(operation: FileOperation): Promise<void> {
    if (operation.kind === 'rename') {
      const [from, to] = [this.#place(operation.from), this.#place(operation.to)];
      if (from === undefined || to === undefined) return;
      await mkdir(dirname(to), { recursive: true });
      await rename(from, to);
      this.#written.push(to.slice(this.root.length + 1));
      return;
    }
    const path = this.#place(operation.path);
    if (path === undefined) return;
    if (operation.kind === 'delete') await rm(path, { recursive: true, force: true });
    else if (operation.kind === 'write' || operation.kind === 'create') {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, operation.content ?? '');
      this.#written.push(path.slice(this.root.length + 1));
    }
  }

  #place(path: string): string | undefined {
    return isInside(this.#source, path) ? join(this.root, path.slice(this.#source.length)) : undefined;
  }

  async #removeEmpty(folder: string): Promise<void> {
    if (folder === '.' || (await readdir(join(this.root, folder))).length > 0) return;
    await rm(join(this.root, folder), { recursive: true });
    await this.#removeEmpty(dirname(folder));
  }

  #changes(before: ReadonlySet<string>, after: ReadonlySet<string>, written: readonly string[]): TreeChange[] {
    const change = (entry: string, kind: TreeChange['kind']): TreeChange => ({
      path: join(this.root, entry.replace(/\/$/, '')),
      kind,
      isFolder: entry.endsWith('/'),
    });
    return [
      ...[...before].filter((entry) => !after.has(entry)).map((entry) => change(entry, 'deleted')),
      ...[...after].filter((entry) => !before.has(entry)).map((entry) => change(entry, 'created')),
      ...written.filter((entry) => before.has(entry) && after.has(entry)).map((entry) => change(entry, 'changed')),
    ];
  }
}

async function stampOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? undefined : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** Relative paths of all files, and of all folders with a slash at the end. */
async function entriesBelow(root: string): Promise<Set<string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return new Set(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name).slice(root.length + 1);
      return entry.isDirectory() ? `${path}/` : path;
    }),
  );
}
