import { contentHash } from '../../../base/ids.ts';
import { displayPath } from '../../../base/paths.ts';
import { ToolError } from '../../../base/errors.ts';
import type { FileVersion } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import { contextLines, diffLines, splitLines, type LineChange } from '../edits/text/unifiedDiff.ts';
import { openRepository, readGit, type GitRepository } from '../git/repository.ts';
import { verifyRevision } from '../git/revisions.ts';
import type { Project } from '../project.ts';
import { decodeText } from '../textEncoding.ts';
import type { ChangeRecord } from './changeLog.ts';
import type { LocalHistory } from './localHistory.ts';

/** Which changes are looked at. Nothing given: all that are remembered. */
export interface ReviewScope {
  historyId?: string;
  callId?: string;
  client?: string;
  since?: Date;
  /** What a commit has is compared with what is there now, in the files that were ever changed here. */
  commit?: string;
}

interface ReviewLine {
  mark: ' ' | '-' | '+';
  /** With its line end. */
  text: string;
}

/** Neighbouring differences of a file with the lines around them. */
export interface ReviewHunk {
  /** The same as long as the change itself is. */
  id: string;
  /** 1-based, of the first of `lines`. */
  oldStart: number;
  newStart: number;
  lines: ReviewLine[];
  /** The file still has what the hunk made, so that it can be taken back. */
  isThere: boolean;
}

export interface ReviewedFile {
  path: string;
  file: string;
  status: 'added' | 'deleted' | 'changed';
  /** Without text there is no hunk; the change can be taken back as a whole. */
  isText: boolean;
  hunks: ReviewHunk[];
  added: number;
  removed: number;
  /** The changes it comes from, oldest first. */
  historyIds: string[];
}

interface Review {
  files: ReviewedFile[];
  /** Files with differences that are not in `files`. */
  moreFiles: number;
}

interface Sides {
  path: string;
  before: Buffer | null | undefined;
  after: Buffer | null | undefined;
  historyIds: string[];
}

const maxFiles = 200;
const maxTextBytes = 2_000_000;

/** What the chosen changes came to, file by file, in hunks. */
export async function reviewOf(history: LocalHistory, project: Project, scope: ReviewScope): Promise<Review> {
  const all = await sidesOf(history, project, scope);
  const files: ReviewedFile[] = [];
  let moreFiles = 0;
  for (const sides of all) {
    if (files.length >= maxFiles) {
      moreFiles++;
      continue;
    }
    const file = await reviewedFile(project, sides);
    if (file !== undefined) files.push(file);
  }
  return { files, moreFiles };
}

async function sidesOf(history: LocalHistory, project: Project, scope: ReviewScope): Promise<Sides[]> {
  const found =
    scope.historyId === undefined
      ? (await history.list(project, scope.commit === undefined ? scope : {})).reverse()
      : [await history.get(project, scope.historyId)];
  const paths = new Map<string, { before: FileVersion | null; after: FileVersion | null; historyIds: string[] }>();
  for (const change of found) addTransitions(paths, change);
  const repository = scope.commit === undefined ? undefined : await openRepository(project);
  if (scope.commit !== undefined && repository === undefined)
    throw new ToolError('git_error', `${project.root} is in no git repository.`);
  const commit = repository === undefined ? '' : await verifyRevision(repository, scope.commit ?? '');
  return Promise.all(
    [...paths]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([path, { before, after, historyIds }]) => {
        if (repository === undefined)
          return {
            path,
            historyIds,
            before: await bytesOf(history, project, before),
            after: await bytesOf(history, project, after),
          };
        return { path, historyIds, before: await committed(repository, commit, path), after: await onDisk(path) };
      }),
  );
}

function addTransitions(
  paths: Map<string, { before: FileVersion | null; after: FileVersion | null; historyIds: string[] }>,
  change: ChangeRecord,
): void {
  for (const { path, before, after } of change.transitions) {
    const known = paths.get(path);
    if (known === undefined) paths.set(path, { before, after, historyIds: [change.id] });
    else {
      known.after = after;
      known.historyIds.push(change.id);
    }
  }
}

/** Null for absence, undefined when it is not kept any more. */
async function bytesOf(
  history: LocalHistory,
  project: Project,
  version: FileVersion | null,
): Promise<Buffer | null | undefined> {
  if (version === null) return null;
  if (version.kind === 'symlink') return Buffer.from(`link to ${version.target}\n`);
  return history.content(project, version.hash);
}

async function onDisk(path: string): Promise<Buffer | null | undefined> {
  const version = await readVersion(path).catch(() => undefined);
  return version === null ? null : version?.bytes;
}

async function committed(repository: GitRepository, commit: string, path: string): Promise<Buffer | null> {
  const name = `${commit}:./${displayPath(repository.project.root, path)}`;
  const { code, bytes } = await readGit(repository, { args: ['cat-file', 'blob', name], okCodes: [128] });
  return code === 0 ? Buffer.from(bytes) : null;
}

async function reviewedFile(
  project: Project,
  { path, before, after, historyIds }: Sides,
): Promise<ReviewedFile | undefined> {
  if (before === after || (before && after && before.equals(after))) return undefined;
  const [old, fresh] = [textOf(before), textOf(after)];
  const file = displayPath(project.root, path);
  const status = before === null ? 'added' : after === null ? 'deleted' : 'changed';
  const common = { path, file, status, historyIds } as const;
  if (old === undefined || fresh === undefined) return { ...common, isText: false, hunks: [], added: 0, removed: 0 };
  const [a, b] = [splitLines(old ?? ''), splitLines(fresh ?? '')];
  const changes = diffLines(a, b);
  const now = await onDisk(path);
  const current = splitLines(textOf(now) ?? '');
  const hunks = groups(changes).map((group): ReviewHunk => {
    const hunk = hunkOf(group, a, b);
    const id = contentHash(JSON.stringify([file, hunk.oldStart, hunk.lines])).slice(0, 12);
    const isThere = after === null ? now === null : now !== null && placeOfHunk(current, hunk) !== undefined;
    return { ...hunk, id, isThere };
  });
  const count = (side: (change: LineChange) => number) => changes.reduce((sum, change) => sum + side(change), 0);
  return {
    ...common,
    isText: true,
    hunks,
    added: count(({ bStart, bEnd }) => bEnd - bStart),
    removed: count(({ aStart, aEnd }) => aEnd - aStart),
  };
}

function textOf(bytes: Buffer | null | undefined): string | null | undefined {
  if (bytes === null) return null;
  if (bytes === undefined || bytes.length > maxTextBytes) return undefined;
  return decodeText(bytes)?.text;
}

function groups(changes: readonly LineChange[]): LineChange[][] {
  const result: LineChange[][] = [];
  for (const change of changes) {
    const group = result.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && change.aStart - last.aEnd <= contextLines) group.push(change);
    else result.push([change]);
  }
  return result;
}

function hunkOf(
  group: readonly LineChange[],
  a: readonly string[],
  b: readonly string[],
): Pick<ReviewHunk, 'oldStart' | 'newStart' | 'lines'> {
  const first = group[0] ?? { aStart: 0, aEnd: 0, bStart: 0, bEnd: 0 };
  const last = group.at(-1) ?? first;
  const aFrom = Math.max(first.aStart - contextLines, 0);
  const lines: ReviewLine[] = [];
  let at = aFrom;
  const kept = (until: number) => {
    for (; at < until; at++) lines.push({ mark: ' ', text: a[at] ?? '' });
  };
  for (const change of group) {
    kept(change.aStart);
    for (; at < change.aEnd; at++) lines.push({ mark: '-', text: a[at] ?? '' });
    for (let added = change.bStart; added < change.bEnd; added++) lines.push({ mark: '+', text: b[added] ?? '' });
  }
  kept(Math.min(last.aEnd + contextLines, a.length));
  return { oldStart: aFrom + 1, newStart: first.bStart - (first.aStart - aFrom) + 1, lines };
}

/**
 * Where in a text what a hunk made stands: 0-based, from the first line it replaces to behind the last, with what was there before.
 * First where it was made; lines may have moved since, so then wherever it stands once, with the lines around it or without.
 */
export function placeOfHunk(
  current: readonly string[],
  hunk: Pick<ReviewHunk, 'newStart' | 'lines'>,
): { from: number; to: number; old: string[] } | undefined {
  const whole = hunk.lines;
  const firstChange = whole.findIndex(({ mark }) => mark !== ' ');
  const lastChange = whole.findLastIndex(({ mark }) => mark !== ' ');
  const core = whole.slice(firstChange, lastChange + 1);
  for (const [lines, start] of [
    [whole, hunk.newStart - 1],
    [core, hunk.newStart - 1 + firstChange],
  ] as const) {
    const fresh = lines.filter(({ mark }) => mark !== '-').map(({ text }) => text);
    const old = lines.filter(({ mark }) => mark !== '+').map(({ text }) => text);
    if (lines === whole && standsAt(current, fresh, start)) return { from: start, to: start + fresh.length, old };
    // What only took lines away leaves nothing of its own to be found by.
    if (fresh.length === 0) continue;
    const places = current.flatMap((_line, at) => (standsAt(current, fresh, at) ? [at] : []));
    const [only] = places;
    if (only !== undefined && places.length === 1) return { from: only, to: only + fresh.length, old };
  }
  return undefined;
}

function standsAt(current: readonly string[], lines: readonly string[], at: number): boolean {
  return at + lines.length <= current.length && lines.every((line, offset) => current[at + offset] === line);
}
