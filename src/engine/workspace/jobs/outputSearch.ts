import { dirname } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runRipgrep } from '../ripgrep.ts';
import type { OutputLog } from './outputLog.ts';

export interface OutputMatch {
  /** Where its line begins in the whole output. */
  cursor: number;
  /** The line, cut when it is long. */
  text: string;
}

interface OutputSearch {
  /** In ripgrep's syntax, which is matched in time that grows with the text only. */
  pattern: string;
  /** Lines that end before are passed over; the one that was being written there is not. */
  from: number;
  maxMatches: number;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal | undefined;
}

const maxLineChars = 400;

/** Lines of the whole output on disk that match, first ones first, and whether there are more. */
export async function searchOutput(
  log: OutputLog,
  { pattern, from: asked, maxMatches, env, signal }: OutputSearch,
): Promise<{ matches: OutputMatch[]; isMore: boolean }> {
  const from = await lineStart(log, asked);
  const segments = log.segments.filter(({ start, size }) => start + size > from);
  const first = segments[0];
  const matches: OutputMatch[] = [];
  if (first === undefined) return { matches, isMore: false };
  const starts = new Map(segments.map(({ path, start }) => [path, start]));
  const whole = await runRipgrep(
    { root: dirname(first.path), env },
    {
      args: [...options, '--regexp', pattern, '--', ...starts.keys()],
      separator: '\n',
      onRecord: (record) => {
        const [, path = '', offset = '', text = ''] = /^([^\0]*)\0(\d+):([^]*)$/.exec(record) ?? [];
        const cursor = (starts.get(path) ?? 0) + Number(offset);
        if (offset === '' || cursor < from) return true;
        if (matches.length === maxMatches) return false;
        matches.push({ cursor, text: stripVTControlCharacters(text).replace(/\r$/, '') });
        return true;
      },
      ...(signal === undefined ? {} : { signal }),
    },
  );
  return { matches, isMore: !whole };
}

async function lineStart(log: OutputLog, position: number): Promise<number> {
  const from = Math.max(position - maxLookBack, 0);
  const { bytes, from: given } = await log.read(from, position - from);
  return given + bytes.lastIndexOf(10) + 1;
}

const maxLookBack = 65_536;

/** One file after the other; bytes that are no text are searched like text. */
const options = [
  '--threads=1',
  '--sort=path',
  '--text',
  '--crlf',
  '--no-heading',
  '--with-filename',
  '--null',
  '--no-line-number',
  '--byte-offset',
  '--color=never',
  `--max-columns=${maxLineChars}`,
  '--max-columns-preview',
];
