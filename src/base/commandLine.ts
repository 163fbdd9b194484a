import { platform } from './platform/here.ts';

/** Splits a command line as a POSIX shell would split its words, without expanding anything. */
export function splitArguments(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    const next = text[i + 1] ?? '';
    if (quote === "'" || quote === '"') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '\\' && '"\\$`'.includes(next) && next !== '') {
        word = (word ?? '') + next;
        i++;
      } else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && next !== '') {
      word = (word ?? '') + next;
      i++;
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** One word as the system's shell reads it back unchanged. */
export function quoteArgument(word: string): string {
  return platform.customs.quote(word);
}

/** A command line as one would type it. */
export function joinArguments(words: readonly string[]): string {
  return words.map(quoteArgument).join(' ');
}
