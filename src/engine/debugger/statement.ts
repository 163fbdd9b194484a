import type { LineIndex } from '../../base/positions.ts';

/** How far a statement is followed up and down from the line it is looked at from. */
const maxLines = 12;

export interface LineSpan {
  start: number;
  end: number;
}

/**
 * The lines of the statement around a line, told by its brackets, so that it holds for any language: up while a call or list is open
 * or the line goes on with a dot, down until what is open is closed. The body of a function or block is not part of it.
 */
export function statementAround(index: LineIndex, line: number): LineSpan {
  const start = startOf(index, line);
  const open: string[] = [];
  let quote = '';
  let end = start;
  for (let number = start; number <= Math.min(start + maxLines, index.lineCount); number++) {
    const text = index.lineText(number) ?? '';
    quote = follow(text, open, quote);
    end = number;
    const isOpen = quote !== '' || (open.length > 0 && !opensBlock(text));
    if (number >= line && !isOpen && !continues(index.lineText(number + 1))) break;
  }
  return { start, end: Math.max(end, line) };
}

function startOf(index: LineIndex, line: number): number {
  let start = opening(index, line);
  while (start > Math.max(line - maxLines, 1) && continues(index.lineText(start))) start = opening(index, start - 1);
  return start;
}

/** The line on which the call or list is opened that the line lies in; the line itself when it lies in none. */
function opening(index: LineIndex, line: number): number {
  let found = line;
  let depth = 0;
  for (let number = line - 1; number > Math.max(line - maxLines, 0); number--) {
    const text = index.lineText(number) ?? '';
    if (text.trim() === '' || opensBlock(text)) break;
    const open: string[] = [];
    let quote = '';
    for (let each = number; each < line; each++) quote = follow(index.lineText(each) ?? '', open, quote);
    // A quote that is open at the line was taken for one that opens, though it closes: the look began within a text.
    if (open.length <= depth || quote !== '') continue;
    found = number;
    depth = open.length;
  }
  return found;
}

/** Whether a line goes on with what the line above began. */
function continues(text: string | undefined): boolean {
  return text !== undefined && /^\s*(\?\.|\.(?!\.\.))/.test(text);
}

/** `if (x) {`, `test('a', () => {`, `def f():`: what follows is a body of its own. */
function opensBlock(text: string): boolean {
  return (
    /(\)|=>|\b(else|try|do|finally|class [\w$ ]+|static))\s*(:\s*[\w<>[\]|. ]+)?\{\s*(\/\/.*)?$/.test(text) ||
    /^\s*(\}\s*)?(if|else|for|switch|select|case|func|fn|while|loop|match|impl|unsafe)\b.*\{\s*(\/\/.*)?$/.test(text) ||
    (/:\s*(#.*)?$/.test(text) &&
      /^\s*(async\s+)?(def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b/.test(text))
  );
}

const quotes = ['"""', "'''", '"', "'", '`'];

/** Opens and closes what the line opens and closes; answers the quote in which it ends, which only some may. */
function follow(text: string, open: string[], quote: string): string {
  let inside = quote;
  for (let at = 0; at < text.length; at++) {
    if (inside !== '') {
      if (text[at] === '\\') at++;
      else if (text.startsWith(inside, at)) {
        at += inside.length - 1;
        inside = '';
      }
      continue;
    }
    const rest = text.slice(at);
    const opened = quotes.find((each) => rest.startsWith(each));
    if (opened !== undefined) {
      inside = opened;
      at += opened.length - 1;
    } else if (rest.startsWith('//') || (rest.startsWith('#') && /(^|\s)$/.test(text.slice(0, at)))) break;
    else if ('([{'.includes(text[at] ?? '')) open.push(text[at] ?? '');
    else if (')]}'.includes(text[at] ?? '')) open.pop();
  }
  return inside.length === 3 || inside === '`' ? inside : '';
}
