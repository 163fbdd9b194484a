import { linesOf, placeOf, wordAt, type Place } from './pythonPlaces.ts';

/**
 * A string in `__slots__` makes the attribute of that name in the instances of its class (language reference, 3.3.2.4): it is the
 * attribute's declaration, whether or not an engine looks into strings. The attribute must be set through `self` in that class.
 */
export function declaredInSlots(key: string, name: string, agreed: ReadonlySet<string>): boolean {
  const [path, line] = placeOf(key);
  const lines = linesOf(path);
  const start = lines.slice(0, line).findLastIndex((text) => /^\s+__slots__\b.*=/.test(text));
  const statement = lines.slice(start, line).join('\n');
  if (start === -1 || !/["']/.test(lines[line - 1] ?? '') || isClosed(statement.replace(/[^\n]*$/, ''))) return false;
  const first = lines.slice(0, start).findLastIndex((text) => /^\s*class\b/.test(text));
  const indent = indentOf(lines[first] ?? '');
  const rest = lines.findIndex((text, at) => at > first && text.trim() !== '' && indentOf(text) <= indent);
  const last = rest === -1 ? lines.length : rest;
  return [...agreed].map(placeOf).some(([file, at, column]) => {
    const before = lines[at - 1]?.slice(0, column - 1) ?? '';
    return file === path && at > first && at <= last && before.endsWith('self.') && wordAt([file, at, column]) === name;
  });
}

/** The name of what is called where a keyword argument stands: `TypeVar` for `bound` in `t.TypeVar("F", bound=int)`. */
export function calleeOfKeyword(place: Place): Place | undefined {
  const [path, line, column] = place;
  const lines = linesOf(path);
  const after = lines[line - 1]?.slice(column - 1 + wordAt(place).length) ?? '';
  if (!/^\s*=(?!=)/.test(after)) return undefined;
  let depth = 0;
  for (let at = line; at > Math.max(line - 40, 0); at--) {
    const text = at === line ? (lines[at - 1] ?? '').slice(0, column - 1) : (lines[at - 1] ?? '');
    for (let index = text.length - 1; index >= 0; index--) {
      const character = text.charAt(index);
      if (')]}'.includes(character)) depth++;
      else if ('([{'.includes(character) && depth > 0) depth--;
      else if ('([{'.includes(character)) {
        const name = /\w+$/u.exec(text.slice(0, index))?.[0];
        const isCall = character === '(' && name !== undefined && !/\bdef\s+\w+$/.test(text.slice(0, index));
        return isCall ? [path, at, index - name.length + 1] : undefined;
      }
    }
  }
  return undefined;
}

function isClosed(statement: string): boolean {
  const count = (pattern: RegExp) => statement.match(pattern)?.length ?? 0;
  return statement !== '' && count(/[([{]/g) <= count(/[)\]}]/g);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
