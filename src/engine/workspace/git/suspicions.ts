import { isSecretName } from '../../../base/text/redact.ts';
import { tokenPatterns } from '../../../base/text/secrets.ts';
import { utf8, type FilePatch } from './patch.ts';

/** A line that would be committed and probably should not be. Never the text itself: it may be a secret. */
export interface Suspicion {
  file: string;
  line: number;
  kind: string;
}

const maxLineChars = 8000;
const maxSuspicions = 20;

export function secretsIn(files: readonly FilePatch[]): Suspicion[] {
  return addedLines(files, secretKind);
}

export function conflictMarkersIn(files: readonly FilePatch[]): Suspicion[] {
  return addedLines(files, (line) => (/^(<{7}|>{7}|\|{7})( |\r?$)/.test(line) ? 'conflict marker' : undefined));
}

function addedLines(files: readonly FilePatch[], kindOf: (line: string) => string | undefined): Suspicion[] {
  const found: Suspicion[] = [];
  for (const { file, hunks } of files) {
    for (const { newStart, lines } of hunks) {
      let number = newStart;
      for (const line of lines) {
        const kind = line[0] === '+' ? kindOf(utf8(line.slice(1, maxLineChars))) : undefined;
        if (kind !== undefined && found.push({ file, line: number, kind }) >= maxSuspicions) return found;
        if (line[0] === '+' || line[0] === ' ') number++;
      }
    }
  }
  return found;
}

function secretKind(line: string): string | undefined {
  const token = tokenPatterns.find(({ pattern }) => line.search(pattern) !== -1);
  if (token !== undefined) return token.kind;
  const assigned =
    /([A-Za-z_][\w.-]{0,80})["']?\s{0,3}(?::|=|=>|:=)\s{0,3}["'`]?([\w+/=~-]{20,200})["'`]?\s{0,3}[,;]?\s*$/.exec(line);
  const [, name = '', value = ''] = assigned ?? [];
  return isSecretName(name) && looksRandom(value) ? `value of ${name}` : undefined;
}

/** Letters of both kinds and digits, and no letter much more often than others: no word, no path, no other name. */
function looksRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /[a-z]{8}/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  const entropy = [...counts.values()].reduce((sum, count) => {
    const share = count / value.length;
    return sum - share * Math.log2(share);
  }, 0);
  return entropy > 3.3;
}
