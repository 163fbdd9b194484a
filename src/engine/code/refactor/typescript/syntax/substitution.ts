import type ts from 'typescript-classic';
import { compiler } from './compiler.ts';
import { atPlace, placed, type Replacement } from './placement.ts';
import { isShadowed, isValueUse } from './scopes.ts';

export interface Substitution {
  /** The function whose parameters are replaced. */
  within: ts.Node;
  /** Texts for parameters, by name. */
  values: ReadonlyMap<string, string>;
  /** What `this` is, when it has another name where the code goes. */
  receiver?: string;
  /** Texts for type parameters, by name. */
  types?: ReadonlyMap<string, string>;
  /** Other names for what is not declared in the code itself. */
  others?: ReadonlyMap<string, string>;
  /** Names of a namespace that are only known through it where the code goes. */
  qualified?: { names: ReadonlySet<string>; by: string };
  /** Other names for what the block itself declares. */
  renamed?: { block: ts.Node; names: ReadonlyMap<string, string> };
}

/** The source from `start` to `end`, with values in place of parameters. */
export function substitutedRange(root: ts.Node, start: number, end: number, how: Substitution): string {
  const source = root.getSourceFile();
  const names = renamedNodes(root, how);
  const values = placed(
    source,
    valueNodes(root, how).filter((one) => !names.some((other) => other.node === one.node)),
  );
  let text = '';
  let at = start;
  const all = [...values.map((one) => ({ ...one, text: atPlace(one.node, one.text) })), ...names];
  for (const { node, text: newText } of all.sort((a, b) => a.node.getStart(source) - b.node.getStart(source))) {
    if (node.getStart(source) < start || node.getEnd() > end) continue;
    text += source.text.slice(at, node.getStart(source)) + newText;
    at = node.getEnd();
  }
  return text + source.text.slice(at, end);
}

export function substituted(root: ts.Node, how: Substitution): string {
  return substitutedRange(root, root.getStart(root.getSourceFile()), root.getEnd(), how);
}

/** The uses of parameters, type parameters and of `this` in a piece of code. */
export function valueNodes(root: ts.Node, how: Substitution): Replacement[] {
  const { within, values, receiver, types, qualified, others } = how;
  const tsc = compiler();
  const found: Replacement[] = [];
  const visit = (node: ts.Node, ownThis: boolean): void => {
    const isType = node.parent !== undefined && tsc.isTypeReferenceNode(node.parent);
    if (tsc.isIdentifier(node) && !isType && isValueUse(node) && !isShadowed(node.text, node.parent, within)) {
      const text = values.get(node.text);
      const other = others?.get(node.text);
      if (text !== undefined) found.push({ node, text });
      else if (qualified?.names.has(node.text)) found.push({ node, text: `${qualified.by}.${node.text}` });
      else if (other !== undefined) found.push({ node, text: other });
    }
    if (tsc.isTypeReferenceNode(node) && tsc.isIdentifier(node.typeName)) {
      const name = node.typeName.text;
      const text = types?.get(name);
      if (text !== undefined) found.push({ node, text });
      else if (qualified?.names.has(name)) found.push({ node, text: `${qualified.by}.${node.getText()}` });
      else if (others?.has(name)) found.push({ node: node.typeName, text: others.get(name) ?? name });
    }
    if (node.kind === tsc.SyntaxKind.ThisKeyword && !ownThis && receiver !== undefined && receiver !== 'this')
      found.push({ node, text: receiver });
    const isInner = ownThis || (tsc.isFunctionLike(node) && !tsc.isArrowFunction(node)) || tsc.isClassLike(node);
    tsc.forEachChild(node, (child) => visit(child, isInner && node !== root));
  };
  visit(root, false);
  return found;
}

function renamedNodes(root: ts.Node, { renamed }: Substitution): Replacement[] {
  const tsc = compiler();
  if (renamed === undefined || renamed.names.size === 0) return [];
  const { block, names } = renamed;
  const found: Replacement[] = [];
  const visit = (node: ts.Node): void => {
    const fresh = tsc.isIdentifier(node) ? names.get(node.text) : undefined;
    if (fresh !== undefined && tsc.isIdentifier(node)) {
      const { parent } = node;
      const isDeclared =
        (tsc.isVariableDeclaration(parent) ||
          tsc.isBindingElement(parent) ||
          tsc.isFunctionDeclaration(parent) ||
          tsc.isClassDeclaration(parent)) &&
        parent.name === node;
      const isTaken = isShadowed(node.text, isDeclared ? parent.parent : node, block);
      if (!isTaken && (isDeclared || isValueUse(node))) {
        const isElement = tsc.isBindingElement(parent) && isDeclared && parent.propertyName === undefined;
        const keepsKey = isElement && tsc.isObjectBindingPattern(parent.parent) && parent.dotDotDotToken === undefined;
        found.push({ node, text: keepsKey ? `${node.text}: ${fresh}` : atPlace(node, fresh) });
      }
    }
    tsc.forEachChild(node, visit);
  };
  visit(root);
  return found;
}
