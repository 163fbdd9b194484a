/** `text {expression} text` in pieces: strings are literal, objects are code. Braces may nest; `\{` is a brace. */
export function parseLogMessage(message: string): (string | { expression: string })[] {
  const pieces: (string | { expression: string })[] = [];
  let literal = '';
  for (let i = 0; i < message.length; i++) {
    const character = message[i];
    if (character === '\\' && (message[i + 1] === '{' || message[i + 1] === '}')) {
      literal += message[++i];
    } else if (character === '{') {
      const end = closingBrace(message, i);
      if (end === undefined) {
        literal += message.slice(i);
        break;
      }
      if (literal !== '') pieces.push(literal);
      literal = '';
      pieces.push({ expression: message.slice(i + 1, end) });
      i = end;
    } else {
      literal += character;
    }
  }
  if (literal !== '') pieces.push(literal);
  return pieces;
}

function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const quote = depth > 0 && /["'`]/.test(text[i] ?? '') ? closingQuote(text, i) : undefined;
    if (quote !== undefined) i = quote;
    else if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return undefined;
}

/** Braces in a string of the expression close nothing. A quote without its other half is taken for a letter. */
function closingQuote(text: string, start: number): number | undefined {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === text[start]) return i;
  }
  return undefined;
}
