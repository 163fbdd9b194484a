/**
 * The names in a function's head. V8 says where a function begins: at the bracket of its parameters, or at the only one of an arrow
 * function. Whatever else stands there (default values, types of patterns) may be taken for names too: they name no variable.
 */
export function parameterNames(source: string, line: number, column: number): string[] {
  let start = 0;
  for (let n = 0; n < line; n++) start = source.indexOf('\n', start) + 1;
  const head = source
    .slice(start + column, start + column + maxHeadChars)
    .replace(/^(async\s+)?(function\b\s*)?\*?\s*[\w$]*\s*(?=\()/, '');
  if (!head.startsWith('(')) return /^(?:async\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*=>/u.exec(head)?.slice(1) ?? [];
  let depth = 0;
  let end = 0;
  for (; end < head.length; end++) {
    if ('([{'.includes(head[end] ?? '')) depth++;
    else if (')]}'.includes(head[end] ?? '') && --depth === 0) break;
  }
  return head.slice(1, end).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

const maxHeadChars = 1000;
