/** An expression without its comments and strings, for the rules about evaluation. */
export function javaCode(expression: string): string {
  return expression
    .replaceAll(/\\u+([0-9a-fA-F]{4})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (text) =>
      text.startsWith('/') ? ' ' : '""',
    );
}
