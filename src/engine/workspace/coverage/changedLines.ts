import { join } from 'node:path';
import { ToolError } from '../../../base/errors.ts';
import { openRepository, readGit, type GitRepository } from '../git/repository.ts';
import { verifyRevision } from '../git/revisions.ts';
import type { Project } from '../project.ts';

/** Lines of the working tree that a commit does not have. */
export interface ChangedLines {
  /** As it was named. */
  commit: string;
  /** By canonical path; `all` of a file that git does not know yet. */
  byPath: ReadonlyMap<string, ReadonlySet<number> | 'all'>;
}

/** Against HEAD unless a commit is named. Undefined where nothing can be compared: no repository, no commit yet. */
export async function changedLines(
  project: Project,
  commit: string | undefined,
  signal?: AbortSignal,
): Promise<ChangedLines | undefined> {
  const repository = await openRepository(project, signal);
  if (repository === undefined) {
    if (commit === undefined) return undefined;
    throw new ToolError('git_error', `The project is in no git repository: nothing can be compared with "${commit}".`);
  }
  const name = commit ?? 'HEAD';
  let hash: string;
  try {
    hash = await verifyRevision(repository, name, signal);
  } catch (error) {
    if (commit === undefined && error instanceof ToolError) return undefined;
    throw error;
  }
  const format = ['--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
  const { stdout } = await readGit(repository, {
    args: [
      '-c',
      'core.quotePath=false',
      'diff',
      '--find-renames',
      '--diff-filter=d',
      ...format,
      hash,
      '--',
      project.root,
    ],
    signal,
  });
  const byPath = new Map<string, ReadonlySet<number> | 'all'>(
    [...addedLines(stdout)].map(([file, lines]) => [join(repository.topLevel, file), lines]),
  );
  for (const path of await untracked(repository, signal)) byPath.set(path, 'all');
  return { commit: name, byPath };
}

/** By path below the top of the repository, from a diff without context. */
export function addedLines(diff: string): Map<string, Set<number>> {
  const byPath = new Map<string, Set<number>>();
  let lines: Set<number> | undefined;
  let inHunk = 0;
  for (const row of diff.split('\n')) {
    // The content of a hunk is counted off: an added line may look like a header.
    if (inHunk > 0) {
      if (!row.startsWith('\\')) inHunk--;
      continue;
    }
    const file = /^\+\+\+ (.*?)\t?$/.exec(row)?.[1];
    if (file !== undefined) byPath.set(unquoted(file).replace(/^b\//, ''), (lines = new Set()));
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (hunk === null) continue;
    const [removed, start, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
    for (let line = start; line < start + added; line++) lines?.add(line);
    inHunk = removed + added;
  }
  return byPath;
}

const escapes: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' };

/** Git writes names with quotes, backslashes or control characters as a C string. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const plain = name.slice(1, -1).replace(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, letter = '') => {
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    return escapes[String(letter)] ?? String(letter);
  });
  return plain;
}

async function untracked(repository: GitRepository, signal: AbortSignal | undefined): Promise<string[]> {
  const { root } = repository.project;
  const { stdout } = await readGit(repository, {
    args: ['ls-files', '--others', '--exclude-standard', '-z', '--', root],
    signal,
  });
  return stdout
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => join(root, name));
}
