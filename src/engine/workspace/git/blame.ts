import { ToolError } from '../../../base/errors.ts';
import { readProjectText } from '../projectText.ts';
import { unquoted } from './patch.ts';
import { gitPath, readGit, shownPath, type GitRepository } from './repository.ts';
import { verifyRevision } from './revisions.ts';

interface BlameRequest {
  /** Canonical. */
  path: string;
  startLine?: number;
  endLine?: number;
  revision?: string;
  /** Commits that count as if they had changed nothing. */
  ignoreRevisions?: readonly string[];
  /** Lines that were moved or copied are traced to where they came from. */
  moved?: boolean;
  signal?: AbortSignal;
}

/** Lines in a row that one commit brought. */
interface BlameBlock {
  startLine: number;
  endLine: number;
  /** Absent for lines that are not committed. */
  commit?: string;
  author?: string;
  date?: string;
  summary?: string;
  /** Where the lines were in that commit, when that was another file. */
  from?: { file: string; line: number };
  text: string[];
}

interface Blame {
  file: string;
  blocks: BlameBlock[];
  /** How many commits were looked through, from the project's list and from the call. */
  ignored: number;
}

/** The name that hosts of repositories have agreed on. */
const ignoreFile = '.git-blame-ignore-revs';
const maxListed = 500;

export async function gitBlame(repository: GitRepository, request: BlameRequest): Promise<Blame> {
  const { signal, startLine, endLine } = request;
  if (repository.isBare && request.revision === undefined)
    throw new ToolError('git_error', 'A bare repository has no files; blame needs a revision.', {
      hint: 'Pass revision, for example HEAD.',
    });
  if (startLine !== undefined && endLine !== undefined && endLine < startLine)
    throw new ToolError('invalid_arguments', `end_line (${endLine}) lies before start_line (${startLine}).`);
  const revision =
    request.revision === undefined ? undefined : await verifyRevision(repository, request.revision, signal);
  const ignored = await ignoredCommits(repository, request);
  const file = gitPath(repository, request.path);
  const { stdout } = await readGit(repository, {
    args: [
      ...['blame', '--porcelain', '--no-textconv', '--no-color-lines'],
      // A list that the configuration names may be any file, and git quotes the line that it does not understand.
      '--no-ignore-revs-file',
      ...(startLine === undefined && endLine === undefined ? [] : [`-L${startLine ?? 1},${endLine ?? ''}`]),
      ...(request.moved === true ? ['-M', '-C'] : []),
      ...ignored.map((hash) => `--ignore-rev=${hash}`),
      ...(revision === undefined ? [] : [revision]),
      ...['--', file],
    ],
    signal,
  });
  return { file, blocks: parseBlame(stdout, file, (path) => shownPath(repository, path)), ignored: ignored.length };
}

async function ignoredCommits(repository: GitRepository, request: BlameRequest): Promise<string[]> {
  const own = await Promise.all(
    (request.ignoreRevisions ?? []).map((revision) => verifyRevision(repository, revision, request.signal)),
  );
  const text = (await readProjectText(repository.project, ignoreFile)) ?? '';
  const listed = [...new Set(text.match(/^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s*(?:#|$))/gm) ?? [])].slice(0, maxListed);
  if (listed.length === 0) return own;
  // Lists outlive what they name: a commit that is not here would be an error.
  const { stdout } = await readGit(repository, {
    args: ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    input: `${listed.join('\n')}\n`,
    signal: request.signal,
  });
  const present = [...stdout.matchAll(/^([0-9a-f]+) commit$/gm)].map(([, hash = '']) => hash);
  return [...new Set([...own, ...present])];
}

interface CommitFacts {
  author?: string;
  date?: string;
  summary?: string;
}

interface BlamedLine extends CommitFacts {
  line: number;
  commit: string | undefined;
  origin: { file: string; line: number };
}

/** Facts of a commit are told with its first line only. */
function parseBlame(output: string, file: string, shown: (path: string) => string): BlameBlock[] {
  const known = new Map<string, CommitFacts & { file: string }>();
  const blocks: BlameBlock[] = [];
  let header: { hash: string; origin: number; line: number } | undefined;
  for (const line of output.split('\n')) {
    if (header === undefined) {
      const match = /^([0-9a-f]{40,64}) (\d+) (\d+)/.exec(line);
      if (match === null) continue;
      header = { hash: match[1] ?? '', origin: Number(match[2]), line: Number(match[3]) };
      continue;
    }
    const facts = known.get(header.hash) ?? { file };
    known.set(header.hash, facts);
    if (line.startsWith('\t')) {
      const { file: from, ...rest } = facts;
      const commit = /^0+$/.test(header.hash) ? undefined : header.hash;
      const origin = { file: from, line: header.origin };
      addLine(
        blocks,
        { ...(commit === undefined ? {} : rest), commit, line: header.line, origin },
        file,
        line.slice(1),
      );
      header = undefined;
    } else readFact(facts, line, shown);
  }
  return blocks;
}

function readFact(facts: CommitFacts & { file: string }, line: string, shown: (path: string) => string): void {
  const [key = '', ...rest] = line.split(' ');
  const value = rest.join(' ');
  if (key === 'author') facts.author = value;
  if (key === 'author-time') facts.date = new Date(Number(value) * 1000).toISOString().slice(0, 10);
  if (key === 'summary') facts.summary = value;
  if (key === 'filename') facts.file = shown(unquoted(value));
}

function addLine(blocks: BlameBlock[], blamed: BlamedLine, file: string, text: string): void {
  const { commit, line, origin, ...facts } = blamed;
  const last = blocks.at(-1);
  const from = commit === undefined || origin.file === file ? undefined : origin;
  if (last !== undefined && last.commit === commit && last.endLine + 1 === line && last.from?.file === from?.file) {
    last.endLine = line;
    last.text.push(text);
    return;
  }
  blocks.push({
    startLine: line,
    endLine: line,
    commit,
    ...facts,
    ...(from === undefined ? {} : { from }),
    text: [text],
  });
}
