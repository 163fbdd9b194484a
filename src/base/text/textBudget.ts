/**
 * Nothing unbounded reaches a model. Renderers shorten in stages; these are the cuts of last resort and the escaping of
 * characters that would let project text pose as something else.
 */
export interface TextBudget {
  /** Characters the whole answer may have. */
  maxChars: number;
  /** The caller chose it. */
  isChosen?: boolean;
}

export const defaultMaxChars = 6000;

/** Cuts to `maxChars`, never inside a surrogate pair, saying how much is gone. */
export function clip(text: string, maxChars: number, mark = (dropped: number) => `… (+${dropped} chars)`): string {
  if (text.length <= maxChars) return text;
  let end = Math.max(maxChars - mark(text.length).length, 0);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return text.slice(0, end) + mark(text.length - end);
}

/** Keeps the beginning and the end, which is where programs say what matters. */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.max(Math.floor((maxChars - 40) / 2), 0);
  const dropped = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${dropped} characters left out …\n${half === 0 ? '' : text.slice(-half)}`;
}

/**
 * Whatever leaves no mark of its own or moves others: control and formatting characters, line breaks that are none to us, fillers, tags,
 * halves of characters, and the selectors in which text can be hidden, except the one that makes an emoji of the character before it.
 */
const unsafe =
  /[\u{fe00}-\u{fe0d}\0-\u{8}\u{b}-\u{1f}\u{7f}-\u{9f}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{2065}\u{3164}\u{ffa0}\u{fff0}-\u{fff8}\u{e0000}-\u{e0fff}]|(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;

/** Shows control, zero-width and bidirectional characters as escapes, so that text from the project stays data. */
export function escapeInvisible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON in which those characters are escapes too: the same data for whoever parses it, and harmless to whoever only reads it. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, (characters) =>
    characters
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
