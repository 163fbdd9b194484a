import type ts from 'typescript-classic';
import { isJavascriptFile } from '../../../../../../base/languages/byPath.ts';
import { ancestor, compiler, parse } from '../../syntax/compiler.ts';
import { functionAndCall } from '../newFunction.ts';
import { textWith } from '../../syntax/textChange.ts';
import { indentAt, reindented } from '../../syntax/indentation.ts';
import { refuse } from '../../../refusals/refuse.ts';

/**
 * A function that is extracted into a function has a `this` of its own, which the server does not mind. An arrow function in front of the
 * call has none. Undefined when the extracted function is none of this.
 */
export function withOuterThis(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const found = functionAndCall(source, name);
  const declaration = found?.declaration;
  if (found === undefined || declaration?.body === undefined || !tsc.isFunctionDeclaration(declaration))
    return undefined;
  const isInner = ancestor(declaration.parent, tsc.isFunctionLike) !== undefined;
  if (!isInner || !tsc.isIdentifier(found.call.expression) || !meansThis(declaration.body)) return undefined;
  const statement = ancestor(found.call, tsc.isStatement);
  if (declaration.asteriskToken !== undefined || statement === undefined || !tsc.isBlock(statement.parent))
    throw refuse('thisWouldDiffer');
  const start = (declaration.name ?? declaration).getEnd();
  const isAsync = (tsc.getCombinedModifierFlags(declaration) & tsc.ModifierFlags.Async) !== 0;
  const head = text.slice(start, declaration.body.getStart(source)).trimEnd();
  const indent = indentAt(statement.getStart(source), source);
  const body = reindented(declaration.body.getText(source), indentAt(declaration.getStart(source), source), indent);
  const semicolon = statement.getText(source).endsWith(';') ? ';' : '';
  const made = `const ${name} = ${isAsync ? 'async ' : ''}${head} => ${body}${semicolon}\n${indent}`;
  const at = statement.getStart(source);
  return textWith(text, [
    { start: at, end: at, text: made },
    { start: declaration.getFullStart(), end: declaration.getEnd(), text: '' },
  ]);
}

/** JavaScript has no types, and so no parameter for the type of `this`, which the server writes all the same. */
export function withoutThisParameter(path: string, text: string, name: string): string | undefined {
  const source = parse(path, text);
  const parameters = functionAndCall(source, name)?.declaration.parameters;
  const [first, second] = parameters ?? [];
  if (!isJavascriptFile(path) || first?.name.getText(source) !== 'this') return undefined;
  const end = second?.getStart(source) ?? first.getEnd();
  return textWith(text, [{ start: first.getStart(source), end, text: '' }]);
}

/** Whether code means the `this` that is around it. */
function meansThis(root: ts.Node): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (node.kind === tsc.SyntaxKind.ThisKeyword) return true;
    const hasOwn = (tsc.isFunctionLike(node) && !tsc.isArrowFunction(node)) || tsc.isClassLike(node);
    return !hasOwn && (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  };
  return visit(root);
}
