import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import { changedBy, functionNamed, reaches } from './loadOrder.ts';

/** Whether two pieces of code do something that the other one, or whoever looks on, would see in another order. What cannot be seen in the file does nothing. */
export function isOrderSeen(one: ts.Node, other: ts.Node): boolean {
  const source = one.getSourceFile();
  const touches = (changing: ts.Node, looking: ts.Node): boolean =>
    [...changedBy(changing, source, new Set())].some((name) => reaches(looking, name, source, new Set()));
  return touches(one, other) || touches(other, one) || (prints(one, new Set()) && prints(other, new Set()));
}

function prints(code: ts.Node, seen: Set<string>): boolean {
  const tsc = compiler();
  const visit = (node: ts.Node): boolean => {
    if (node !== code && tsc.isFunctionLike(node)) return false;
    if (tsc.isCallExpression(node)) {
      const { expression: callee } = node;
      if (/^(?:console\.|process\.std(?:out|err)\.)/.test(callee.getText())) return true;
      const body = tsc.isIdentifier(callee) ? functionNamed(code.getSourceFile(), callee.text) : undefined;
      if (body !== undefined && !seen.has(callee.getText()) && prints(body, seen.add(callee.getText()))) return true;
    }
    return tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false;
  };
  return visit(code);
}
