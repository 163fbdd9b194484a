import { z } from 'zod';
import { hunkHeader, hunkText, signCount, type FilePatch, type Hunk } from '../../engine/workspace/git/patch.ts';
import { fileName } from './shapes.ts';

/** Differences as answers hold them. */
export const diffShape = {
  files: z.array(
    z.object({
      file: z.string(),
      from: z.string().optional(),
      change: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'retyped', 'conflict']),
      mode: z.string().optional(),
      binary: z.boolean().optional(),
      additions: z.int().optional(),
      deletions: z.int().optional(),
      hunks: z
        .array(z.object({ id: z.string().optional(), header: z.string(), text: z.string().optional() }))
        .optional(),
    }),
  ),
  total: z.object({ additions: z.int(), deletions: z.int() }).optional(),
  leftOut: z.object({ hunks: z.int(), files: z.array(z.string()) }).optional(),
};

type DiffAnswer = z.output<z.ZodObject<typeof diffShape>>;

interface DiffForm {
  /** What texts may take. */
  maxChars: number;
  stat?: boolean;
  words?: boolean;
  /** Whether hunks can be staged by their ids. */
  ids?: boolean;
}

/** What the rest of an answer takes: its keys, totals, and the names of files whose hunks have no room. */
const frameChars = 150;
const maxNamed = 5;

/** Whole hunks as long as there is room; of the rest their places as long as there is room for those, and a count. */
export function diffAnswer(files: readonly FilePatch[], form: DiffForm): DiffAnswer {
  const shown: DiffAnswer['files'] = files.map((file) => fileAnswer(file, form));
  const leftOut = new Map<string, number>(files.filter(({ missing }) => missing).map(({ file }) => [file, 0]));
  const named = files.slice(0, maxNamed).reduce((sum, { file }) => sum + file.length + 3, 0);
  let room = form.maxChars - JSON.stringify(shown).length - named - frameChars;
  for (const [index, file] of files.entries()) {
    const told = (form.stat === true ? [] : file.hunks).flatMap((hunk) => {
      const whole = hunkAnswer(hunk, form);
      const { text: _, ...place } = whole;
      if (take(whole)) return [whole];
      leftOut.set(file.file, (leftOut.get(file.file) ?? 0) + 1);
      return take(place) ? [place] : [];
    });
    const answer = shown[index];
    if (told.length > 0 && answer !== undefined) answer.hunks = told;
  }
  const hunks = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
  return {
    files: shown,
    ...(form.words === true ? {} : { total: totals(shown) }),
    ...(leftOut.size > 0 ? { leftOut: { hunks, files: [...leftOut.keys()].slice(0, maxNamed) } } : {}),
  };

  function take(value: unknown): boolean {
    const chars = JSON.stringify(value).length + 1;
    if (chars > room) return false;
    room -= chars;
    return true;
  }
}

function hunkAnswer(hunk: Hunk, { words, ids }: DiffForm): { id?: string; header: string; text: string } {
  const header = words === true ? `@@ +${hunk.newStart} @@ ${hunk.heading}`.trimEnd() : hunkHeader(hunk);
  return { ...(ids === true ? { id: hunk.id } : {}), header, text: words === true ? wordText(hunk) : hunkText(hunk) };
}

function fileAnswer(file: FilePatch, form: DiffForm): DiffAnswer['files'][number] {
  const isCounted = form.words !== true && !file.binary && !file.missing;
  return {
    file: file.file,
    ...(file.from === undefined ? {} : { from: file.from }),
    change: file.change,
    ...modeOf(file),
    ...(file.binary ? { binary: true } : {}),
    ...(isCounted ? { additions: signCount(file, '+'), deletions: signCount(file, '-') } : {}),
  };
}

function totals(files: readonly { additions?: number; deletions?: number }[]): {
  additions: number;
  deletions: number;
} {
  return {
    additions: files.reduce((sum, { additions = 0 }) => sum + additions, 0),
    deletions: files.reduce((sum, { deletions = 0 }) => sum + deletions, 0),
  };
}

function modeOf({ change, oldMode, newMode }: FilePatch): { mode?: string } {
  if (change === 'conflict') return {};
  if (change === 'added') return newMode === '100644' ? {} : { mode: modeName(newMode) };
  if (change === 'deleted' || oldMode === newMode) return newMode === '160000' ? { mode: 'submodule' } : {};
  return { mode: `${modeName(oldMode)} → ${modeName(newMode)}` };
}

function modeName(mode: string): string {
  return modeNames[mode] ?? mode;
}

const modeNames: Readonly<Record<string, string>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'link',
  '160000': 'submodule',
};

/** `[-old-]{+new+}` within the lines. */
function wordText(hunk: Hunk): string {
  return hunkText(hunk)
    .split('\n')
    .map((line) => {
      const text = line.slice(1);
      if (line[0] === '-') return `[-${text}-]`;
      if (line[0] === '+') return `{+${text}+}`;
      return line[0] === '~' ? '\n' : text;
    })
    .join('')
    .trimEnd();
}

export function diffLines(data: DiffAnswer): string[] {
  const lines = data.files.flatMap((file) => {
    const name = file.from === undefined ? fileName(file.file) : `${fileName(file.from)} → ${fileName(file.file)}`;
    const counts = file.additions === undefined ? '' : ` +${file.additions} -${file.deletions ?? 0}`;
    const facts = [
      file.change,
      ...(file.mode === undefined ? [] : [file.mode]),
      ...(file.binary === true ? ['binary'] : []),
    ];
    return [
      `${name}: ${facts.join(', ')}${counts}`,
      ...(file.hunks ?? []).flatMap((hunk) => [
        `${hunk.id === undefined ? '' : `${hunk.id} `}${hunk.header}`,
        ...(hunk.text === undefined ? [] : [hunk.text]),
      ]),
    ];
  });
  const { leftOut } = data;
  if (leftOut === undefined) return lines;
  const hunks = leftOut.hunks === 0 ? '' : `${leftOut.hunks} hunks in `;
  return [
    ...lines,
    `(no room for ${hunks}${leftOut.files.map(fileName).join(', ')}${leftOut.files.length < maxNamed ? '' : ', …'}: pass paths, or max_chars)`,
  ];
}
