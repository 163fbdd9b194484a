/**
 * The text of a snippet with its placeholders resolved: tab stops become nothing, placeholders and choices their first text, variables
 * their default. Nobody is there to type into them.
 */
export function snippetText(snippet: string): string {
  return read(snippet, 0, '').text;
}

interface Read {
  text: string;
  /** Where reading ended: behind the terminator, if there was one. */
  next: number;
}

function read(source: string, from: number, terminator: string): Read {
  let text = '';
  let at = from;
  while (at < source.length) {
    const character = source[at] ?? '';
    if (character === terminator) return { text, next: at + 1 };
    if (character === '\\' && /[\\$}]/.test(source[at + 1] ?? '')) {
      text += source[at + 1] ?? '';
      at += 2;
      continue;
    }
    const field = character === '$' ? fieldAt(source, at) : undefined;
    text += field?.text ?? character;
    at = field?.next ?? at + 1;
  }
  return { text, next: at };
}

function fieldAt(source: string, at: number): Read | undefined {
  const plain = /^\$\w+/.exec(source.slice(at));
  if (plain !== null) return { text: '', next: at + plain[0].length };
  const opened = /^\$\{(\w+)([:|}/])/.exec(source.slice(at));
  if (opened === null) return undefined;
  const inside = at + opened[0].length;
  if (opened[2] === '}') return { text: '', next: inside };
  if (opened[2] === ':') return read(source, inside, '}');
  if (opened[2] === '|') {
    const end = source.indexOf('|}', inside);
    if (end === -1) return undefined;
    const [first = ''] = source.slice(inside, end).split(/(?<!\\),/);
    return { text: first.replace(/\\([,|\\])/g, '$1'), next: end + 2 };
  }
  // A variable with a pattern: there is no value to apply it to.
  return { text: '', next: read(source, inside, '}').next };
}
