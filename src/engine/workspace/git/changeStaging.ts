import { advise, parameter } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { displayPath } from '../../../base/paths.ts';
import type { FileVersion } from '../edits/operations.ts';
import { readVersion } from '../edits/readVersion.ts';
import type { ChangeRecord } from '../localHistory/changeLog.ts';
import type { LocalHistory } from '../localHistory/localHistory.ts';
import { plainDiff } from './diff.ts';
import { parsePatch } from './patch.ts';
import { patchOf } from './patchParts.ts';
import { gitPath, readGit, writeGit, type GitRepository } from './repository.ts';
import { applyToIndex, indexEntry, indexState, type IndexState } from './staging.ts';

interface Entry {
  mode: string;
  blob: string;
}

/**
 * Stages exactly what these changes of local history changed, whatever else has changed in the same files: where the index has what a
 * change found, it gets what the change made; otherwise the difference is applied to what the index has, or nothing is staged.
 */
export async function stageChanges(
  repository: GitRepository,
  history: LocalHistory,
  changes: readonly ChangeRecord[],
  signal?: AbortSignal,
): Promise<IndexState> {
  const stager = new ChangeStager(repository, history, signal);
  // Oldest first: each finds what the one before it has made.
  for (const change of [...changes].sort((a, b) => (a.time < b.time ? -1 : 1))) await stager.add(change);
  await stager.write();
  return indexState(repository, signal);
}

class ChangeStager {
  readonly #repository: GitRepository;
  readonly #history: LocalHistory;
  readonly #signal: AbortSignal | undefined;
  /** What the index will have, as far as it differs from now. */
  readonly #entries = new Map<string, Entry | undefined>();
  readonly #patches: string[] = [];
  readonly #patched = new Set<string>();
  #hashLength = 40;

  constructor(repository: GitRepository, history: LocalHistory, signal: AbortSignal | undefined) {
    this.#repository = repository;
    this.#history = history;
    this.#signal = signal;
  }

  async add(change: ChangeRecord): Promise<void> {
    for (const { path, before, after } of change.transitions) {
      const [from, to] = [await this.#entryOf(change, path, before), await this.#entryOf(change, path, after)];
      const now = this.#entries.has(path)
        ? this.#entries.get(path)
        : await indexEntry(this.#repository, path, this.#signal);
      if (isSame(now, to)) continue;
      if (!this.#patched.has(path) && isSame(now, from)) this.#entries.set(path, to);
      else if (this.#entries.has(path)) throw this.#changedBetween(path);
      else this.#patches.push(await this.#patch(path, from, to, now));
    }
  }

  #changedBetween(path: string): ToolError {
    const file = gitPath(this.#repository, path);
    return new ToolError('git_error', `${file} was changed by others between these changes. Nothing was staged.`, {
      hint: advise`Stage the changes one by one with ${parameter('changeId')}, or the file by paths.`,
    });
  }

  async write(): Promise<void> {
    // A patch may not fit; the entries always do, so they come last.
    if (this.#patches.length > 0)
      await applyToIndex(this.#repository, this.#patches.join(''), false, this.#signal).catch((error: unknown) => {
        throw new ToolError('git_error', 'The index has other lines where the change was made. Nothing was staged.', {
          hint: 'Stage the files by paths or hunks.',
          cause: error,
        });
      });
    if (this.#entries.size === 0) return;
    const lines = [...this.#entries].map(([path, entry]) => {
      const { mode, blob } = entry ?? { mode: '0', blob: '0'.repeat(this.#hashLength) };
      // Told from the top of the repository, wherever git is run.
      return `${mode} ${blob}\t${displayPath(this.#repository.topLevel, path)}\0`;
    });
    await writeGit(this.#repository, {
      args: ['update-index', '-z', '--index-info'],
      input: lines.join(''),
      signal: this.#signal,
    });
  }

  /** A version as git would keep it: with the line ends and filters of its path. */
  async #entryOf(change: ChangeRecord, path: string, version: FileVersion | null): Promise<Entry | undefined> {
    if (version === null) return undefined;
    const isLink = version.kind === 'symlink';
    const bytes = isLink ? Buffer.from(version.target) : await this.#content(change, path, version.hash);
    const file = gitPath(this.#repository, path);
    const { stdout } = await writeGit(this.#repository, {
      args: ['hash-object', '-w', '--stdin', ...(isLink ? ['--no-filters'] : [`--path=${file}`])],
      input: bytes,
      signal: this.#signal,
    });
    const mode = isLink ? '120000' : (version.mode & 0o100) === 0 ? '100644' : '100755';
    const blob = stdout.trim();
    this.#hashLength = blob.length;
    return { mode, blob };
  }

  /** Of a file that was merely moved, the content is only in its new place. */
  async #content(change: ChangeRecord, path: string, hash: string): Promise<Buffer> {
    const kept = await this.#history.content(this.#repository.project, hash);
    if (kept !== undefined) return kept;
    const move = change.moves.find(({ from, to }) => from === path || to === path);
    const there = move === undefined ? null : await readVersion(move.to).catch(() => null);
    if (there?.bytes !== undefined && there.version.hash === hash) return there.bytes;
    throw new ToolError(
      'history_not_found',
      `Local history no longer has the content of ${gitPath(this.#repository, path)} in ${change.id}. Nothing was staged.`,
      { hint: 'Stage the file by paths.' },
    );
  }

  async #patch(path: string, from: Entry | undefined, to: Entry | undefined, now: Entry | undefined): Promise<string> {
    const file = gitPath(this.#repository, path);
    if (from === undefined || to === undefined || now === undefined || from.mode !== to.mode)
      throw new ToolError('git_error', `The index has another ${file} than the change found. Nothing was staged.`, {
        hint: 'Stage it by paths.',
      });
    const { bytes } = await readGit(this.#repository, {
      args: ['diff', ...plainDiff.filter((option) => option !== '--relative'), '-U3', from.blob, to.blob, '--'],
      signal: this.#signal,
    });
    this.#patched.add(path);
    const [patch] = parsePatch(bytes);
    if (patch === undefined || patch.binary)
      throw new ToolError('git_error', `${file} is no text and the index has another version. Nothing was staged.`);
    return patchOf({ ...patch, file, change: 'modified' }, patch.hunks, false);
  }
}

function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a?.blob === b?.blob && a?.mode === b?.mode;
}
