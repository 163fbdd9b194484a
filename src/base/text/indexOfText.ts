/** Up to this length the runtime's own search is quick whatever the texts are. */
const maxPlainChars = 256;

/**
 * As `indexOf`, but never slower than the lengths of both texts: the runtime's own search takes minutes for a long text in one that repeats itself,
 * and everybody else waits meanwhile.
 */
export function indexOfText(text: string, wanted: string, from = 0): number {
  if (wanted.length <= maxPlainChars) return text.indexOf(wanted, from);
  const fallbacks = fallbacksOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = fallbacks[matched - 1] ?? 0;
    if (unit === wanted.charCodeAt(matched)) matched++;
    if (matched === wanted.length) return at + 1 - matched;
  }
  return -1;
}

/** For each beginning of a text, the length of the longest shorter beginning that it ends with. */
function fallbacksOf(text: string): Uint32Array {
  const lengths = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== text.charCodeAt(matched)) matched = lengths[matched - 1] ?? 0;
    if (unit === text.charCodeAt(matched)) matched++;
    lengths[at] = matched;
  }
  return lengths;
}
