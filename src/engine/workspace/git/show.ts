import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { decodeText } from '../textEncoding.ts';
import { plainDiff } from './diff.ts';
import { parsePatch, type FilePatch } from './patch.ts';
import { gitPath, readGit, type GitRepository } from './repository.ts';
import { verifyRevision } from './revisions.ts';

interface ShownCommit {
  commit: string;
  parents: string[];
  author: string;
  email: string;
  date: string;
  refs?: string[];
  message: string;
  /** Of a merge: against its first parent. */
  files: FilePatch[];
  truncated: boolean;
}

const maxShownBytes = 8_000_000;
const messageEnd = '\0\x01';
const commitFormat = '--format=%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%B%x00%x01';

export async function showCommit(
  repository: GitRepository,
  request: {
    revision: string;
    paths?: readonly string[];
    contextLines?: number;
    /** Of the whole repository, also where the project is a folder of it. */
    everywhere?: boolean;
    signal?: AbortSignal;
  },
): Promise<ShownCommit> {
  const { signal } = request;
  const hash = await verifyRevision(repository, request.revision, signal);
  const options = plainDiff.filter((option) => request.everywhere !== true || option !== '--relative');
  const { bytes, truncated } = await readGit(repository, {
    args: [
      ...['show', '--no-show-signature', '--no-notes', '--no-mailmap', '--decorate=short', '-m', '--first-parent'],
      ...[commitFormat, ...options, `-U${request.contextLines ?? 3}`, hash],
      ...['--', ...(request.paths ?? []).map((path) => gitPath(repository, path))],
    ],
    maxBytes: maxShownBytes,
    signal,
  });
  const end = bytes.indexOf(messageEnd);
  const head = end === -1 ? await headOf(repository, hash, signal) : bytes.toString('utf8', 0, end);
  const [commit = hash, parents = '', author = '', email = '', date = '', refs = '', message = ''] = head.split('\0');
  const rest = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + messageEnd.length);
  const begin = rest.indexOf(':');
  return {
    commit,
    parents: parents === '' ? [] : parents.split(' '),
    author,
    email,
    date,
    ...(refs === '' ? {} : { refs: refs.split(', ') }),
    message: message.trim(),
    files: begin === -1 ? [] : parsePatch(rest.subarray(begin), truncated),
    truncated,
  };
}

/** With paths that a commit does not touch, git prints nothing of it. */
async function headOf(repository: GitRepository, hash: string, signal?: AbortSignal): Promise<string> {
  const { stdout } = await readGit(repository, {
    args: ['show', '--no-show-signature', '--no-notes', '--no-mailmap', '--no-patch', commitFormat, hash, '--'],
    signal,
  });
  return stdout.slice(0, stdout.indexOf(messageEnd));
}

/** What a commit has at a path. */
interface CommittedEntry {
  commit: string;
  file: string;
  kind: 'file' | 'link' | 'folder' | 'submodule';
  executable?: boolean;
  size?: number;
  /** Of a file that is text, of a link its target. */
  content?: string;
  startLine?: number;
  totalLines?: number;
  binary?: boolean;
  /** The content is elsewhere (git-lfs); this is how large it is. */
  lfsSize?: number;
  entries?: string[];
}

const maxFileBytes = 10_000_000;
const maxEntries = 500;

export async function showFile(
  repository: GitRepository,
  request: { revision: string; path: string; startLine?: number; endLine?: number; signal?: AbortSignal },
): Promise<CommittedEntry> {
  const { signal } = request;
  const commit = await verifyRevision(repository, request.revision, signal);
  const file = gitPath(repository, request.path);
  if (file === '.')
    return { commit, file, kind: 'folder', entries: await entriesOf(repository, `${commit}:./`, signal) };
  const { stdout } = await readGit(repository, { args: ['ls-tree', '-z', '-l', commit, '--', file], signal });
  const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t/.exec(stdout);
  if (match === null)
    throw new ToolError('file_not_found', `${file} is not in ${commit.slice(0, 10)}.`, {
      hint: advise`${step('gitLog')} with paths ["${file}"] shows the commits that have it.`,
    });
  const [, mode = '', type, hash = '', size] = match;
  if (type === 'tree') return { commit, file, kind: 'folder', entries: await entriesOf(repository, hash, signal) };
  if (type === 'commit') return { commit, file, kind: 'submodule', content: hash };
  const blob = await readGit(repository, { args: ['cat-file', 'blob', hash], maxBytes: maxFileBytes, signal });
  const kind = mode === '120000' ? 'link' : 'file';
  const facts = { commit, file, kind, size: Number(size), ...(mode === '100755' ? { executable: true } : {}) } as const;
  const text = blob.truncated ? undefined : decodeText(blob.bytes)?.text;
  if (text === undefined) return { ...facts, binary: true };
  const lfs = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n[^]*?^size (\d+)$/m.exec(text.slice(0, 1000));
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const startLine = request.startLine ?? 1;
  return {
    ...facts,
    content: lines.slice(startLine - 1, request.endLine ?? lines.length).join('\n'),
    startLine,
    totalLines: lines.length,
    ...(lfs === null ? {} : { lfsSize: Number(lfs[1]) }),
  };
}

async function entriesOf(repository: GitRepository, tree: string, signal?: AbortSignal): Promise<string[]> {
  const { stdout } = await readGit(repository, { args: ['ls-tree', '-z', tree], signal });
  return stdout
    .split('\0')
    .filter((line) => line !== '')
    .slice(0, maxEntries)
    .map((line) => `${line.slice(line.indexOf('\t') + 1)}${/^\d+ tree/.test(line) ? '/' : ''}`);
}
