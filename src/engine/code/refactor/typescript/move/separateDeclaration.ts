import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { refuse } from '../../refusals/refuse.ts';

/** `const one = 1, two = 2` with one of them in a statement of its own, where it can be moved alone; undefined when it stands in one. */
export function separated(source: ts.SourceFile, name: string): string | undefined {
  const tsc = compiler();
  const { text } = source;
  for (const statement of source.statements) {
    if (!tsc.isVariableStatement(statement)) continue;
    const { declarations } = statement.declarationList;
    const own = declarations.findIndex((one) => one.name.getText(source) === name);
    if (own === -1 || declarations.length === 1) continue;
    const [start, end] = [statement.getStart(source), statement.getEnd()];
    const isSaidBetween = declarations.some(
      (one, index) =>
        index > 0 &&
        text
          .slice(declarations[index - 1]?.end, one.getStart(source))
          .replace(',', '')
          .trim(),
    );
    if (isSaidBetween) throw refuse('declaredWithOthers', { name });
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const semicolon = text[end - 1] === ';' ? ';' : '';
    const word = text.slice(start, declarations[0]?.getStart(source));
    const parts = [declarations.slice(0, own), declarations.slice(own, own + 1), declarations.slice(own + 1)]
      .filter((one) => one.length > 0)
      .map((one) => word + text.slice(one[0]?.getStart(source), one.at(-1)?.getEnd()) + semicolon);
    return text.slice(0, start) + parts.join(eol) + text.slice(end);
  }
  return undefined;
}
