/**
 * `exports.total = function (…) {…}`: to whoever uses it, `total` is the function. TypeScript's server puts the function where its
 * keyword is, and references where the name is.
 */

/** The column of the name that what begins at a column is assigned to; undefined when there is none. */
export function assignedName(line: string, column: number): { name: string; column: number } | undefined {
  const before = justBefore(line, column);
  const name = /(?:^|[\s.])([\p{L}_$][\p{L}\d_$]*)\s*=\s*$/u.exec(before)?.[1];
  if (name === undefined) return undefined;
  return { name, column: column - before.length + before.lastIndexOf(name) };
}

/** What stands before a column, as far as it can matter: the lines of minified files are as long as the files. */
export function justBefore(line: string, column: number): string {
  return line.slice(Math.max(column - 1 - maxLookBack, 0), column - 1);
}

const maxLookBack = 300;

/** Whether a function is assigned to the property at a column: `exports.total = (…) => …`. */
export function assignsFunction(line: string, column: number): boolean {
  const isProperty = line.charAt(column - 2) === '.';
  return (
    isProperty && /^[\p{L}\d_$]+\s*=\s*(async\b|function\b|\(|[\p{L}_$][\p{L}\d_$]*\s*=>)/u.test(line.slice(column - 1))
  );
}
