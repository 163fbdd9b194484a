import type ts from 'typescript-classic';
import { compiler, parse } from '../syntax/compiler.ts';
import { declaringScope } from '../semantics/effects.ts';

/** Whether a new name would be taken for another thing of that name somewhere, or another thing for it. */
export function isCaptured(path: string, before: string, after: string, name: string): boolean {
  const [known, made] = [meanings(path, before, name), meanings(path, after, name)];
  const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
  const fresh = sum(made) - sum(known);
  // As a member of a class it is nobody's variable.
  const wanted = fresh === 0 ? known : [...known, fresh];
  const inOrder = (list: readonly number[]): string => list.toSorted((a, b) => a - b).join();
  return inOrder(wanted) !== inOrder(made);
}

/** How often each thing is meant that has a name. */
function meanings(path: string, text: string, name: string): number[] {
  const tsc = compiler();
  const counts = new Map<ts.Node | undefined, number>();
  const visit = (node: ts.Node): void => {
    if (tsc.isIdentifier(node) && node.text === name && !isMemberName(node)) {
      const scope = declaringScope(name, node);
      counts.set(scope, (counts.get(scope) ?? 0) + 1);
    }
    tsc.forEachChild(node, visit);
  };
  visit(parse(path, text));
  return [...counts.values()];
}

function isMemberName(node: ts.Identifier): boolean {
  const tsc = compiler();
  const { parent } = node;
  const isNamed = 'name' in parent && parent.name === node;
  return (
    isNamed &&
    (tsc.isPropertyAccessExpression(parent) ||
      (tsc.isObjectLiteralElement(parent) && !tsc.isShorthandPropertyAssignment(parent)) ||
      tsc.isClassElement(parent) ||
      tsc.isTypeElement(parent) ||
      tsc.isJsxAttribute(parent) ||
      // A parameter of a type names nothing that code could use.
      (tsc.isParameter(parent) && (tsc.isTypeNode(parent.parent) || tsc.isTypeElement(parent.parent))))
  );
}
