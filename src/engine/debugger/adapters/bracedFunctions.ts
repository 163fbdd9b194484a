import { escapeRegExp } from '../../../base/text/escapeRegExp.ts';
/** The lines of a function in a language whose bodies stand in braces: its head is found by `head`, its end by counting braces. */
function bracedFunction(
  lines: readonly string[],
  head: (line: string) => boolean,
): { start: number; end: number } | undefined {
  for (const [index, line] of lines.entries()) {
    if (!head(line)) continue;
    const end = endOfBody(lines, index);
    if (end !== undefined) return { start: index + 1, end: end + 1 };
  }
  return undefined;
}

/** Undefined where a declaration ends without a body. */
function endOfBody(lines: readonly string[], from: number): number | undefined {
  let depth = 0;
  let isInside = false;
  for (let index = from; index < lines.length; index++) {
    const code = (lines[index] ?? '').replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|\/\/.*$|\/\*.*?\*\//g, '');
    for (const character of code) {
      if (character === ';' && !isInside) return undefined;
      if (character === '{') {
        depth++;
        isInside = true;
      }
      if (character === '}' && --depth === 0) return index;
    }
  }
  return isInside ? lines.length - 1 : undefined;
}

/** C, C++ and Java: a type stands before the name, or a class that it belongs to. */
export function declaredFunctionLines(
  lines: readonly string[],
  name: string,
): { start: number; end: number } | undefined {
  const own = name.split(/::|\./).at(-1) ?? name;
  const head = new RegExp(`^[\\w:<>,.*&~\\[\\]@?\\s]*[\\s*&:]${escapeRegExp(own)}\\s*\\(`);
  const isStatement = (line: string) => /^\s*(?:return|else|throw|new|case)\b/.test(line);
  return bracedFunction(lines, (line) => head.test(` ${line}`) && !isStatement(line));
}

export function rustFunctionLines(lines: readonly string[], name: string): { start: number; end: number } | undefined {
  const own = name.split('::').at(-1) ?? name;
  const head = new RegExp(`\\bfn\\s+${escapeRegExp(own)}\\b`);
  return bracedFunction(lines, (line) => head.test(line));
}
