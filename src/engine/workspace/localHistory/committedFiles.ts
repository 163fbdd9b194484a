import { join } from 'node:path';
import { openRepository, readGit, type GitRepository } from '../git/repository.ts';
import type { Project } from '../project.ts';

/** What git knows of a working tree. Nothing outside of git. */
interface GitView {
  /** The files that are as the index has them, by path, with the name and size of their content there. */
  files: ReadonlyMap<string, CommittedBlob>;
  /** Links that git keeps: nothing else lists them. */
  links: readonly string[];
  state: GitState | undefined;
}

export interface CommittedBlob {
  blob: string;
  size: number;
}

/** What undo does not bring back, because it is git's own. */
export interface GitState {
  /** A branch, or `HEAD` when none is checked out. */
  branch: string;
  commit: string | undefined;
  stash: string | undefined;
}

/** Contents never change, so the size of one is asked for once. */
export class GitLooker {
  readonly #sizes = new Map<string, number>();

  async look(project: Project): Promise<GitView> {
    const repository = await openRepository(project).catch(() => undefined);
    if (repository === undefined) return { files: new Map(), links: [], state: undefined };
    const [listed, changed, state] = await Promise.all([
      readGit(repository, { args: ['ls-files', '--stage', '-z'], maxBytes: maxListBytes }),
      // Said on the command line, because a submodule's own setting would win over ours and have it looked into.
      readGit(repository, {
        args: ['diff-files', '--name-only', '-z', '--relative', '--ignore-submodules=dirty'],
        maxBytes: maxListBytes,
      }),
      stateOf(repository),
    ]);
    if (listed.truncated || changed.truncated) return { files: new Map(), links: [], state };
    const blobs = new Map<string, string>();
    const links: string[] = [];
    for (const record of listed.stdout.split('\0')) {
      const match = /^(100|120)\d{3} ([0-9a-f]+) 0\t(.+)$/s.exec(record);
      if (match?.[2] === undefined || match[3] === undefined) continue;
      if (match[1] === '100') blobs.set(join(project.root, match[3]), match[2]);
      else links.push(match[3]);
    }
    for (const file of changed.stdout.split('\0')) blobs.delete(join(project.root, file));
    await this.#askSizes(repository, blobs.values());
    const files = new Map<string, CommittedBlob>();
    for (const [path, blob] of blobs) {
      const size = this.#sizes.get(blob);
      if (size !== undefined) files.set(path, { blob, size });
    }
    return { files, links, state };
  }

  async #askSizes(repository: GitRepository, blobs: Iterable<string>): Promise<void> {
    const unknown = new Set([...blobs].filter((blob) => !this.#sizes.has(blob)));
    if (unknown.size === 0) return;
    const { stdout } = await readGit(repository, {
      args: ['cat-file', '--batch-check=%(objectname) %(objectsize)'],
      input: [...unknown].join('\n'),
      maxBytes: maxListBytes,
    });
    // What a partial clone has not fetched is "missing" and gets no size.
    for (const [, blob = '', size] of stdout.matchAll(/^([0-9a-f]+) (\d+)$/gm)) this.#sizes.set(blob, Number(size));
  }
}

/** The contents that git still has, a few megabytes at a time. */
export async function* committedContents(
  project: Project,
  blobs: readonly CommittedBlob[],
): AsyncGenerator<{ blob: string; bytes: Buffer }> {
  const repository = await openRepository(project).catch(() => undefined);
  if (repository === undefined) return;
  for (const part of inParts(blobs)) {
    const { bytes } = await readGit(repository, {
      args: ['cat-file', '--batch'],
      input: part.map(({ blob }) => blob).join('\n'),
      maxBytes: 2 * maxPartBytes + part.reduce((sum, { size }) => sum + size, 0),
    });
    let at = 0;
    for (let end = bytes.indexOf(10, at); end !== -1; end = bytes.indexOf(10, at)) {
      const [blob = '', kind, size] = bytes.toString('latin1', at, end).split(' ');
      at = end + 1;
      if (kind !== 'blob') continue;
      yield { blob, bytes: bytes.subarray(at, at + Number(size)) };
      at += Number(size) + 1;
    }
  }
}

const maxListBytes = 64_000_000;
const maxPartBytes = 8_000_000;
const maxPartBlobs = 2000;

function inParts(blobs: readonly CommittedBlob[]): CommittedBlob[][] {
  const parts: CommittedBlob[][] = [];
  let bytes = Infinity;
  for (const one of blobs) {
    const last = parts.at(-1);
    if (last === undefined || bytes + one.size > maxPartBytes || last.length >= maxPartBlobs) {
      parts.push([one]);
      bytes = one.size;
    } else {
      last.push(one);
      bytes += one.size;
    }
  }
  return parts;
}

async function stateOf(repository: GitRepository): Promise<GitState> {
  const [name, revisions] = await Promise.all([
    readGit(repository, { args: ['rev-parse', '--abbrev-ref', 'HEAD'], okCodes: [128] }),
    readGit(repository, { args: ['rev-parse', '--revs-only', 'HEAD', 'refs/stash'] }),
  ]);
  const hasCommit = name.code === 0;
  const [first, second] = revisions.stdout.split('\n').filter((line) => line !== '');
  return { branch: hasCommit ? name.stdout.trim() : 'HEAD', commit: hasCommit ? first : undefined, stash: second };
}
