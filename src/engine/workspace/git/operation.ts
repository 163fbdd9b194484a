import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What git was in the middle of when it stopped, and how it goes on. */
export interface GitOperation {
  kind: 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect';
  /** Of a rebase: the branch that is being moved. */
  branch?: string;
  onto?: string;
  step?: number;
  steps?: number;
  /** The commit that is being merged or picked. */
  commit?: string;
}

/** Git keeps this in files of its folder; no command tells it. */
export async function operationIn(gitDir: string): Promise<GitOperation | undefined> {
  const text = async (name: string): Promise<string | undefined> =>
    readFile(join(gitDir, name), 'utf8').then(
      (content) => content.trim().split('\n')[0]?.slice(0, 300),
      () => undefined,
    );
  const rebase = await rebaseIn(gitDir, text);
  if (rebase !== undefined) return rebase;
  for (const [file, kind] of [
    ['MERGE_HEAD', 'merge'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
  ] as const) {
    const commit = await text(file);
    if (commit !== undefined) return { kind, commit };
  }
  const bisected = await text('BISECT_START');
  return bisected === undefined ? undefined : { kind: 'bisect', branch: bisected };
}

async function rebaseIn(
  gitDir: string,
  text: (name: string) => Promise<string | undefined>,
): Promise<GitOperation | undefined> {
  for (const [folder, at, end] of [
    ['rebase-merge', 'msgnum', 'end'],
    ['rebase-apply', 'next', 'last'],
  ] as const) {
    const isThere = await stat(join(gitDir, folder)).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isThere) continue;
    const [head, onto, step, steps, applying] = await Promise.all(
      [`${folder}/head-name`, `${folder}/onto`, `${folder}/${at}`, `${folder}/${end}`, `${folder}/applying`].map(text),
    );
    return {
      kind: applying === undefined ? 'rebase' : 'am',
      branch: head?.replace(/^refs\/heads\//, ''),
      onto,
      step: numberOf(step),
      steps: numberOf(steps),
    };
  }
  return undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
