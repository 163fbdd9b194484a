import type { Node } from 'acorn';
import { LineIndex } from '../../../../../base/positions.ts';
import { children, field, isFunction, isNode, nodeField, parseLeniently, textField } from './syntaxTree.ts';

/**
 * Where the body of each function of that name begins (`total`, `Order.total`, also when assigned to a prototype or a property);
 * V8's 0-based positions. `original` tells the name that a compiler replaced at an offset.
 */
export function functionStarts(
  source: string,
  wanted: string,
  original: (offset: number) => string | undefined = () => undefined,
): { line: number; column: number }[] {
  const program = parseLeniently(source);
  if (program === undefined) return [];
  const index = new LineIndex(source);
  const found: { line: number; column: number }[] = [];
  const stack: { node: Node; path: readonly string[]; name?: string | undefined }[] = [{ node: program, path: [] }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { node } = item;
    const name = nameOf(nodeField(node, 'id'), original) ?? item.name;
    const holdsNames = isFunction(node) || /^(Class|ObjectExpression)/.test(node.type);
    const path = holdsNames && name !== undefined ? [...item.path, name] : item.path;
    if (isFunction(node) && name !== undefined && `.${path.join('.')}`.endsWith(`.${wanted}`)) {
      const { line, column } = index.positionAt(bodyStart(node));
      found.push({ line: line - 1, column: column - 1 });
    }
    const named = namedChild(node, original);
    for (const child of children(node))
      stack.push({ node: child, path, name: named?.node === child ? named.name : undefined });
  }
  return found;
}

/** The part of a declaration, property or assignment that bears its name. */
function namedChild(
  node: Node,
  original: (offset: number) => string | undefined,
): { node: Node | undefined; name: string | undefined } | undefined {
  switch (node.type) {
    case 'VariableDeclarator':
      return { node: nodeField(node, 'init'), name: nameOf(nodeField(node, 'id'), original) };
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return { node: nodeField(node, 'value'), name: nameOf(nodeField(node, 'key'), original) };
    case 'AssignmentExpression':
      return { node: nodeField(node, 'right'), name: nameOf(nodeField(node, 'left'), original) };
    default:
      return undefined;
  }
}

/** `total`, `#total`, and `Order.total` of `Order.prototype.total`; what everything is assigned to is no name. */
function nameOf(node: Node | undefined, original: (offset: number) => string | undefined): string | undefined {
  if (node?.type === 'MemberExpression') {
    if (field(node, 'computed') === true) return undefined;
    const property = nameOf(nodeField(node, 'property'), original);
    const object = nodeField(node, 'object');
    const owner = object?.type === 'ThisExpression' ? undefined : nameOf(object, original);
    const parts = [...(owner?.split('.') ?? []), property ?? ''];
    return parts.filter((part) => !/^(|prototype|exports|module)$/.test(part)).join('.') || undefined;
  }
  const name = node === undefined ? undefined : textField(node, 'name');
  if (node?.type === 'PrivateIdentifier') return `#${name ?? ''}`;
  return node?.type === 'Identifier' ? (original(node.start) ?? name) : undefined;
}

function bodyStart(node: Node): number {
  const body = nodeField(node, 'body');
  const statements = body === undefined ? undefined : field(body, 'body');
  const first: unknown = Array.isArray(statements) ? statements[0] : undefined;
  if (isNode(first)) return first.start;
  return body === undefined ? node.start : body.type === 'BlockStatement' ? body.end - 1 : body.start;
}
