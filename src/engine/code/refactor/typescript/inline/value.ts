import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';
import type { ValueDeclaration } from '../syntax/deletion.ts';
import { refuse } from '../../refusals/refuse.ts';

export interface InlinedValue {
  text: string;
  /** What is evaluated where the declaration stands: the value, or what the value is taken from. */
  origin: ts.Expression | ts.TypeNode;
  /** Members of the origin that are read. */
  members: string[];
}

/** What a declared name stands for. */
export function valueOf(declaration: ValueDeclaration): InlinedValue {
  const tsc = compiler();
  const name = declaration.name.getText();
  if (tsc.isTypeAliasDeclaration(declaration)) {
    refuseDistribution(declaration);
    return { text: declaration.type.getText(), origin: declaration.type, members: [] };
  }
  if (tsc.isVariableDeclaration(declaration)) {
    const { initializer } = declaration;
    if (initializer === undefined) throw refuse('noInitialValue', { name });
    return { text: initializer.getText(), origin: initializer, members: [] };
  }
  return memberOf(declaration);
}

/** What is said of each part of a union given for a parameter is said of the union as a whole once it is written out. */
function refuseDistribution({ type, typeParameters }: ts.TypeAliasDeclaration): void {
  const tsc = compiler();
  const names = new Set((typeParameters ?? []).map((one) => one.name.text));
  const isParameter = (node: ts.TypeNode | undefined): boolean =>
    node !== undefined && tsc.isTypeReferenceNode(node) && names.has(node.typeName.getText());
  const visit = (node: ts.Node): void => {
    const constraint = tsc.isMappedTypeNode(node) ? node.typeParameter.constraint : undefined;
    const mapped = constraint !== undefined && tsc.isTypeOperatorNode(constraint) ? constraint.type : constraint;
    if ((tsc.isConditionalTypeNode(node) && isParameter(node.checkType)) || isParameter(mapped))
      throw refuse('typeAsksParts');
    tsc.forEachChild(node, visit);
  };
  visit(type);
}

/** What the parameters of a type are where it is used. */
export function typeArguments({ typeParameters, type }: ts.TypeAliasDeclaration, use: ts.Node): Map<string, string> {
  const tsc = compiler();
  const given = tsc.isTypeReferenceNode(use) ? (use.typeArguments ?? []) : [];
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (tsc.isTypeParameterDeclaration(node)) declared.add(node.name.text);
    tsc.forEachChild(node, visit);
  };
  visit(type);
  return new Map(
    (typeParameters ?? []).map((parameter, index) => {
      const argument = given[index] ?? parameter.default;
      const isTaken =
        argument !== undefined && [...declared].some((name) => new RegExp(`\\b${name}\\b`).test(argument.getText()));
      if (argument === undefined || isTaken || (given[index] === undefined && tsc.isTypeReferenceNode(argument)))
        throw refuse('typeCannotBeWritten');
      return [parameter.name.text, argument.getText()];
    }),
  );
}

/** `const { a: { b } } = value`: what `b` stands for is `value.a.b`. */
function memberOf(element: ts.BindingElement): InlinedValue {
  const tsc = compiler();
  if (element.dotDotDotToken !== undefined) throw refuse('collectsRest');
  if (element.initializer !== undefined) throw refuse('hasDefault');
  const pattern = element.parent;
  const holder = pattern.parent;
  let text: string;
  let member: string;
  if (tsc.isArrayBindingPattern(pattern)) {
    member = '[]';
    text = `[${pattern.elements.indexOf(element)}]`;
  } else {
    const key = element.propertyName ?? element.name;
    if (tsc.isIdentifier(key)) text = `.${key.text}`;
    else if (tsc.isStringLiteralLike(key) || tsc.isNumericLiteral(key)) text = `[${key.getText()}]`;
    else throw refuse('computedName');
    member = tsc.isIdentifier(key) ? key.text : '[]';
  }
  if (tsc.isBindingElement(holder)) {
    const outer = memberOf(holder);
    return { ...outer, text: outer.text + text, members: [...outer.members, member] };
  }
  if (!tsc.isVariableDeclaration(holder) || holder.initializer === undefined) throw refuse('parameterOrLoopVariable');
  const { initializer } = holder;
  const isSimple =
    tsc.isIdentifier(initializer) ||
    tsc.isPropertyAccessExpression(initializer) ||
    tsc.isElementAccessExpression(initializer) ||
    tsc.isCallExpression(initializer) ||
    tsc.isParenthesizedExpression(initializer) ||
    initializer.kind === tsc.SyntaxKind.ThisKeyword;
  const base = initializer.getText();
  return { text: (isSimple ? base : `(${base})`) + text, origin: initializer, members: [member] };
}
