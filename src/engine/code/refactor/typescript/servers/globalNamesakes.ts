import type ts from 'typescript-classic';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { isShadowed, isValueUse } from '../syntax/scopes.ts';

/**
 * The uses of a variable or class of a script, which the compiler takes for uses of something global of the same name (`name`,
 * `status`, `external` of the browser). It reports the clash and goes on with the library's meaning; when the program runs, the
 * script's own declaration is the nearer one.
 */
export function usesTakenForGlobal(path: string, text: string, offset: number): ts.Identifier[] {
  if (/^\s*(?:import|export)\b/m.test(text)) return [];
  const tsc = compiler();
  const source = parse(path, text);
  const token = tokenAt(source, offset);
  const { parent } = token;
  if (!tsc.isIdentifier(token) || tsc.isExternalModule(source)) return [];
  const isVariable =
    tsc.isVariableDeclaration(parent) &&
    parent.name === token &&
    (parent.parent.flags & tsc.NodeFlags.BlockScoped) !== 0 &&
    parent.parent.parent.parent === source;
  const isClass = tsc.isClassDeclaration(parent) && parent.name === token && parent.parent === source;
  if (!isVariable && !isClass) return [];
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    const isUse = tsc.isIdentifier(node) && node !== token && node.text === token.text;
    if (isUse && isValueUse(node) && !isShadowed(token.text, node, source)) found.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
