import { z } from 'zod';
import type { RecordedRun } from '../../engine/workspace/localHistory/workingTree.ts';
import type { Recovery } from '../../engine/workspace/git/recovery.ts';
import { wireName } from '../../base/text/advice.ts';
import { displayPath } from '../../base/paths.ts';
import type { ToolCall } from '../defineTool.ts';

export const pathsParameter = z.array(z.string()).optional();

/** Hashes in lists: no repository has two commits whose first twelve digits are the same. */
export function short(hash: string): string {
  return hash.slice(0, 12);
}

export const recoveryShape = z
  .object({
    sha: z.string(),
    command: z.string(),
    call: z.object({ tool: z.string(), args: z.record(z.string(), z.string()) }),
  })
  .optional();

/** An answer of the engine with the way back as a call by the name of its tool. */
export function withRecovery<Answer extends { recovery?: Recovery }>(
  answer: Answer,
): Omit<Answer, 'recovery'> & { recovery?: ShownRecovery } {
  const { recovery, ...rest } = answer;
  if (recovery === undefined) return rest;
  const { call } = recovery;
  return { ...rest, recovery: { ...recovery, call: { tool: wireName(call.tool), args: { ...call.args } } } };
}

type ShownRecovery = NonNullable<z.output<typeof recoveryShape>>;

export function recoveryLines(recovery: ShownRecovery | undefined): string[] {
  if (recovery === undefined) return [];
  const { call, command } = recovery;
  return [`to get it back: ${call.tool} ${JSON.stringify(call.args)}, or: ${command}`];
}

/** What git changed in the project, and how it is taken back. */
export const changedShape = {
  changed: z.object({ files: z.array(z.string()), count: z.int(), historyId: z.string() }).optional(),
};

type Changed = z.output<z.ZodObject<typeof changedShape>>;

const maxChangedShown = 20;

export function changedFiles(call: ToolCall, { change, problem }: RecordedRun): Changed {
  if (problem !== undefined) call.note(problem);
  if (change === undefined) return {};
  const paths = change.transitions.map(({ path }) => path);
  call.affects(...paths);
  const files = paths.slice(0, maxChangedShown).map((path) => displayPath(call.project.root, path));
  return { changed: { files, count: paths.length, historyId: change.id } };
}

export function changedLines({ changed }: Changed): string[] {
  if (changed === undefined) return [];
  const { files, count, historyId } = changed;
  return [`changed ${count}: ${fileList(files, count)} (history: ${historyId}, undo takes the files back)`];
}

/** Files of one folder together: `src/{a.ts,b.ts}`. Names that could be misread are quoted. */
export function fileList(files: readonly string[], total = files.length): string {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const cut = file.lastIndexOf('/', file.length - 2) + 1;
    const folder = file.slice(0, cut);
    folders.set(folder, [...(folders.get(folder) ?? []), file.slice(cut)]);
  }
  const shown = [...folders].flatMap(([folder, names]) => {
    const isPlain = [folder, ...names].every((name) => /^[\p{L}\p{N}_./@+$()[\]=#~-]*$/u.test(name));
    if (!isPlain || names.length === 1 || folder === '') return names.map((name) => fileName(`${folder}${name}`));
    return [`${folder}{${names.join(',')}}`];
  });
  return `${shown.join(', ')}${total > files.length ? ` +${total - files.length}` : ''}`;
}

export function fileName(file: string): string {
  return /[\s,{}"'\\]|[^\x20-\x7e\u00a0-\uffff]/.test(file) ? JSON.stringify(file) : file;
}
