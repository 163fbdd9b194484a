/**
 * What is wrong with a Python expression, as far as it can be told without Python: the mistakes people make in conditions,
 * such as an assignment, operators of another language, or something left open. What passes here may still be refused by Python,
 * which says so when it meets the breakpoint.
 */
export function expressionProblem(expression: string): string | undefined {
  const text = expression.trim();
  if (text === '') return 'it is empty';
  const code = withoutStrings(text);
  if (code === undefined) return 'a string is not closed';
  const open = unbalanced(code);
  if (open !== undefined) return open;
  for (const [pattern, says] of mistakes) if (pattern.test(code)) return says;
  return undefined;
}

const mistakes: readonly (readonly [RegExp, string])[] = [
  [/===|!==/, "Python has no '===': use '=='"],
  [/&&/, "Python has no '&&': use 'and'"],
  [/\|\|/, "Python has no '||': use 'or'"],
  [/(^|[^=!<>:\w\s])\s*!(?!=)|^!/, "Python has no '!': use 'not'"],
  [
    /^\s*(if|for|while|return|import|from|def|class|del|assert|raise|with|try|pass|global|nonlocal)\b/,
    'it is a statement, not an expression',
  ],
  [/;/, "it has a ';': give one expression"],
  [/(?:[-+*/%<>=!&|^~,]|(?<!\.)\.|\b(?:and|or|not|in|is|if|else))\s*$/, 'it ends with an operator'],
  [/^\s*(?:[*/%<>=!&|^,]|\.(?!\.)|(?:and|or|in|is|else)\b)/, 'it begins with an operator'],
];

/** The code with strings replaced by blanks; undefined when one is not closed. */
function withoutStrings(text: string): string | undefined {
  let code = '';
  for (let at = 0; at < text.length;) {
    const quote = ['"""', "'''", '"', "'"].find((each) => text.startsWith(each, at));
    if (quote === undefined) {
      code += text[at++];
      continue;
    }
    let end = at + quote.length;
    while (end < text.length && !text.startsWith(quote, end)) end += text[end] === '\\' ? 2 : 1;
    if (end >= text.length) return undefined;
    code += `_${' '.repeat(Math.max(end - at - 1, 0))}_`;
    at = end + quote.length;
  }
  return code;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function unbalanced(code: string): string | undefined {
  const expected: string[] = [];
  for (let at = 0; at < code.length; at++) {
    const character = code.charAt(at);
    const closes = closing[character];
    if (closes !== undefined) expected.push(closes);
    else if (')]}'.includes(character) && expected.pop() !== character) return `'${character}' closes nothing`;
    else if (character === '=' && expected.length === 0 && isAssignment(code, at))
      return "'=' assigns: use '==' to compare";
  }
  const missing = expected.pop();
  return missing === undefined ? undefined : `'${missing}' is missing`;
}

function isAssignment(code: string, at: number): boolean {
  return code[at + 1] !== '=' && !'=!<>:'.includes(code[at - 1] ?? ' ') && !/lambda[^:]*$/.test(code.slice(0, at));
}
