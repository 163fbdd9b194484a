import type ts from 'typescript-classic';
import { ancestor, compiler, parse } from '../syntax/compiler.ts';
import { functionAndCall } from './newFunction.ts';

/** The class of the file, above or below that of a new method, that has a member of its name: one would be taken for the other. */
export function memberClash(path: string, text: string, name: string): string | undefined {
  const tsc = compiler();
  const source = parse(path, text);
  const declaration = functionAndCall(source, name)?.declaration;
  const own = declaration !== undefined && tsc.isMethodDeclaration(declaration) ? declaration.parent : undefined;
  if (own === undefined || !tsc.isClassLike(own)) return undefined;
  const classes: ts.ClassLikeDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isClassLike(node) && node !== own) classes.push(node);
    tsc.forEachChild(node, visit);
  };
  visit(source);
  const isAbove = (above: ts.ClassLikeDeclaration, below: ts.ClassLikeDeclaration, depth: number): boolean => {
    const base = baseOf(below);
    if (base === undefined || depth > classes.length) return false;
    if (base === nameOf(above)) return true;
    return classes.some((one) => nameOf(one) === base && isAbove(above, one, depth + 1));
  };
  const other = classes.find(
    (one) =>
      one.members.some((member) => member.name?.getText(source) === name) &&
      (isAbove(own, one, 0) || isAbove(one, own, 0)),
  );
  return other && nameOf(other);
}

function baseOf(one: ts.ClassLikeDeclaration): string | undefined {
  const clause = one.heritageClauses?.find(({ token }) => token === compiler().SyntaxKind.ExtendsKeyword);
  return clause?.types[0]?.expression.getText();
}

/** The name of a class, or of the variable that holds it. */
function nameOf(one: ts.ClassLikeDeclaration): string | undefined {
  return one.name?.text ?? ancestor(one.parent, compiler().isVariableDeclaration)?.name.getText();
}
