import { ToolError } from '../../../base/errors.ts';
import { gitPath, readGit, type GitRepository } from './repository.ts';
import { findRevision, verifyRange } from './revisions.ts';

interface LogRequest {
  range?: string;
  author?: string;
  since?: string;
  until?: string;
  /** Canonical. */
  paths?: readonly string[];
  follow?: boolean;
  /** In messages. */
  grep?: string;
  /** Commits that add or remove this text. */
  pickaxe?: string;
  /** `author`, `grep` and `pickaxe` are regular expressions. */
  regex?: boolean;
  graph?: boolean;
  limit: number;
  signal?: AbortSignal;
}

interface LoggedCommit {
  commit: string;
  parents: string[];
  author: string;
  email: string;
  date: string;
  refs?: string[];
  subject: string;
}

interface GitLog {
  commits: LoggedCommit[];
  hasMore: boolean;
  /** The lines of the drawing, each with the commit it stands for. */
  graph?: { line: string; commit?: string }[];
}

/** Subject and names are single lines without NUL, so that a record is one line, whatever is drawn before it. */
const recordFormat = '%x01%H%x00%P%x00%an%x00%ae%x00%aI%x00%D%x00%s';

export async function gitLog(repository: GitRepository, request: LogRequest): Promise<GitLog> {
  const { signal, limit } = request;
  if (request.follow === true && request.paths?.length !== 1)
    throw new ToolError('invalid_arguments', 'follow needs exactly one path.', { hint: 'Pass paths with one file.' });
  if (request.range === undefined && (await findRevision(repository, 'HEAD', signal)) === undefined)
    return { commits: [], hasMore: false };
  const { stdout } = await readGit(repository, {
    args: [
      ...['log', '--no-color', '--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-mailmap'],
      ...['--decorate=short', `--format=${recordFormat}`, `--max-count=${limit + 1}`],
      ...filters(request),
      ...(await rangeArguments(repository, request)),
      ...['--', ...(request.paths ?? []).map((path) => gitPath(repository, path))],
    ],
    signal,
  });
  return parseLog(stdout, limit, request.graph === true);
}

async function rangeArguments(repository: GitRepository, { range, signal }: LogRequest): Promise<string[]> {
  if (range === undefined) return [];
  const { from, to, symmetric } = await verifyRange(repository, range, signal);
  return [from === undefined ? to : `${from}${symmetric ? '...' : '..'}${to}`];
}

function filters(request: LogRequest): string[] {
  const { author, grep, pickaxe, regex } = request;
  const isMessage = author !== undefined || grep !== undefined;
  return [
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(grep === undefined ? [] : [`--grep=${grep}`]),
    ...(isMessage ? [regex === true ? '--extended-regexp' : '--fixed-strings'] : []),
    // It would hold for the search in differences too.
    ...(isMessage && pickaxe === undefined ? ['--regexp-ignore-case'] : []),
    ...(pickaxe === undefined ? [] : [`${regex === true ? '-G' : '-S'}${pickaxe}`]),
    ...(request.since === undefined ? [] : [`--since=${gitTime(request.since, 'since')}`]),
    ...(request.until === undefined ? [] : [`--until=${gitTime(request.until, 'until')}`]),
    ...(request.follow === true ? ['--follow'] : []),
    ...(request.graph === true ? ['--graph'] : []),
  ];
}

/** Git takes whatever it does not understand for now, and a date without a time for that day at this time. */
function gitTime(text: string, bound: 'since' | 'until'): string {
  if (/^\d+[ .](second|minute|hour|day|week|month|year)s?([ .]ago)?$/.test(text) || text === 'yesterday') return text;
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)))
    return `${text} ${bound === 'since' ? '00:00:00' : '23:59:59'}`;
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new ToolError('invalid_arguments', `"${text.slice(0, 100)}" is no time for ${bound}.`, {
    hint: 'Write 2026-11-15, 2026-11-15T21:55:00Z or "3 days ago".',
  });
}

function parseLog(output: string, limit: number, withGraph: boolean): GitLog {
  const commits: LoggedCommit[] = [];
  const graph: { line: string; commit?: string }[] = [];
  let hasMore = false;
  for (const line of output.split('\n')) {
    const start = line.indexOf('\x01');
    if (start === -1) {
      if (withGraph && line.trim() !== '' && !hasMore) graph.push({ line: line.trimEnd() });
      continue;
    }
    if (commits.length === limit) {
      hasMore = true;
      break;
    }
    const [commit = '', parents = '', author = '', email = '', date = '', refs = '', ...subject] = line
      .slice(start + 1)
      .split('\0');
    commits.push({
      commit,
      parents: parents === '' ? [] : parents.split(' '),
      author,
      email,
      date,
      ...(refs === '' ? {} : { refs: refs.split(', ') }),
      subject: subject.join(''),
    });
    if (withGraph) graph.push({ line: line.slice(0, start).trimEnd(), commit });
  }
  return { commits, hasMore, ...(withGraph ? { graph } : {}) };
}
