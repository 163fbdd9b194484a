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

/**
 * Where `isinstance(x, (A, B))` holds, `x` is an instance of `A` or of `B` (library reference, `isinstance`): `x.name` is the attribute that
 * methods of these classes set through `self`, whatever type `x` was declared with.
 */
export function narrowedByIsinstance(one: string, other: string): boolean {
  const places = [placeOf(one), placeOf(other)] as const;
  return isAttributeOf(places[0], places[1]) || isAttributeOf(places[1], places[0]);
}

function isAttributeOf(use: Place, declared: Place): boolean {
  const [path, line, column] = use;
  const [declaredPath, declaredLine, declaredColumn] = declared;
  const lines = linesOf(path);
  const object = /(\w+)\.$/.exec((lines[line - 1] ?? '').slice(0, column - 1))?.[1];
  const before = (lines[declaredLine - 1] ?? '').slice(0, declaredColumn - 1);
  if (object === undefined || path !== declaredPath || !before.endsWith('self.') || wordAt(use) !== wordAt(declared))
    return false;
  const holder = enclosing(lines, declaredLine).find((text) => /^\s*class\b/.test(text));
  const name = /class\s+(\w+)/.exec(holder ?? '')?.[1] ?? '';
  const condition = new RegExp(`^\\s*(?:if|elif|while)\\s+isinstance\\(${object},\\s*\\(?([\\w\\s,.]*)\\)`);
  const classes = enclosing(lines, line).flatMap((text) => condition.exec(text)?.[1]?.split(/[\s,]+/) ?? []);
  return classes.includes(name);
}

/** The lines that open the blocks around a line, the innermost first. */
function enclosing(lines: readonly string[], line: number): string[] {
  const found: string[] = [];
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 2; at >= 0 && indent > 0; at--) {
    const text = lines[at] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    found.push(text);
  }
  return found;
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
