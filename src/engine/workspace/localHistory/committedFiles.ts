import { join } from 'node:path';
import { openRepository, readGit } from '../git.ts';
import type { Project } from '../project.ts';

/** A file whose content git has. */
export interface CommittedFile {
  blob: string;
  size: number;
  mode: number;
}

/** The files that are as the index of git has them, by path, with the name of their content. None outside of git. */
export async function committedFiles(project: Project): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const repository = await openRepository(project).catch(() => undefined);
  if (repository === undefined) return found;
  const [listed, changed] = await Promise.all([
    readGit(repository, { args: ['ls-files', '--stage', '-z'] }),
    readGit(repository, { args: ['diff-files', '--name-only', '-z', '--relative'] }),
  ]);
  if (listed.truncated || changed.truncated) return found;
  for (const record of listed.stdout.split('\0')) {
    const match = /^100\d{3} ([0-9a-f]+) 0\t(.+)$/s.exec(record);
    if (match?.[1] !== undefined && match[2] !== undefined) found.set(join(project.root, match[2]), match[1]);
  }
  for (const file of changed.stdout.split('\0')) found.delete(join(project.root, file));
  return found;
}

export async function committedContent(project: Project, blob: string): Promise<Buffer | undefined> {
  const repository = await openRepository(project).catch(() => undefined);
  if (repository === undefined) return undefined;
  const { bytes, truncated } = await readGit(repository, {
    args: ['cat-file', 'blob', blob],
    maxBytes: 32 * 1024 * 1024,
  });
  return truncated ? undefined : bytes;
}
