import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';

export interface Extracted {
  declaration: ts.FunctionDeclaration | ts.MethodDeclaration;
  call: ts.CallExpression;
}

/** The function that an extraction made, and the call that took the place of the selection. */
export function functionAndCall(source: ts.SourceFile, name: string): Extracted | undefined {
  const tsc = compiler();
  let declaration: ts.FunctionDeclaration | ts.MethodDeclaration | undefined;
  let call: ts.CallExpression | undefined;
  const visit = (node: ts.Node): void => {
    if ((tsc.isFunctionDeclaration(node) || tsc.isMethodDeclaration(node)) && node.name?.getText(source) === name)
      declaration = node;
    if (tsc.isCallExpression(node)) {
      if (isCallOf(node.expression, name, source)) call = node;
    }
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return declaration === undefined || call === undefined ? undefined : { declaration, call };
}

/** The parameters of a function that an extraction made, in whatever form. */
export function parametersOf(source: ts.SourceFile, name: string): string[] {
  const tsc = compiler();
  const visit = (node: ts.Node): ts.SignatureDeclaration | undefined => {
    const isNamed = 'name' in node && (node.name as ts.Node | undefined)?.getText(source) === name;
    if (isNamed && tsc.isFunctionLike(node)) return node;
    if (
      isNamed &&
      tsc.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      tsc.isArrowFunction(node.initializer)
    )
      return node.initializer;
    return tsc.forEachChild(node, visit);
  };
  return visit(source)?.parameters.map((one) => one.name.getText(source)) ?? [];
}

/** `name(…)`, `this.name(…)`, and `name.call(this, …)` for code that is about its own `this`. */
function isCallOf(called: ts.Expression, name: string, source: ts.SourceFile): boolean {
  const tsc = compiler();
  if (!tsc.isPropertyAccessExpression(called)) return called.getText(source) === name;
  return called.name.text === name || (called.name.text === 'call' && called.expression.getText(source) === name);
}
