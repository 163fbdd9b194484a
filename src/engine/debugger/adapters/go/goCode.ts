/** A Go expression without its comments, strings and characters, for rules about code. */
export function goCode(expression: string): string {
  return expression.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'/g, (found) =>
    found.startsWith('/') ? ' ' : '""',
  );
}
