import { globFilter } from '../../base/text/glob.ts';
import { displayPath } from '../../base/paths.ts';
import { runRipgrep, type SearchedProject } from './ripgrep.ts';

interface ListRequest {
  /** Canonical folder in the project; the root when absent. */
  folder?: string;
  globs?: readonly string[];
  /** Also what git ignores (never `.git` itself). */
  includeIgnored?: boolean;
  signal?: AbortSignal;
}

interface FileList {
  /** Relative to the root, with forward slashes, sorted. */
  files: string[];
  /** More files than are ever listed. */
  capped: boolean;
}

const maxFiles = 200_000;

/** The files of a project: those git tracks or would track. Also outside of git, ignore files count. */
export async function listFiles(project: SearchedProject, request: ListRequest = {}): Promise<FileList> {
  const files: string[] = [];
  const matches = globFilter(request.globs ?? []);
  const folder = request.folder === undefined ? '.' : displayPath(project.root, request.folder);
  const ignoring = request.includeIgnored ? ['--no-ignore'] : ['--no-require-git'];
  const complete = await runRipgrep(project, {
    // The globs of ripgrep would bring back ignored files, so only the exclusion of .git is its business.
    args: ['--files', '--hidden', '--null', '--path-separator', '/', '--glob', '!.git', ...ignoring, '--', folder],
    separator: '\0',
    signal: request.signal,
    onRecord: (record) => {
      const path = record.replace(/^\.\//, '');
      if (matches(path)) files.push(path);
      return files.length < maxFiles;
    },
  });
  return { files: files.sort(byPath), capped: !complete };
}

/** Plain comparison of characters: the same on every machine, whatever its language. */
function byPath(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
