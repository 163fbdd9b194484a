import type { Node } from 'acorn';
import { field, listField, nodeField, textField } from '../../scripts/syntaxTree.ts';

/** What people call a function: by its own name, or by what it is given to. */
export function functionName(node: Node, parents: readonly Node[], source: string): string {
  const own = nodeField(node, 'id');
  const parent = parents.at(-1);
  const described = parent?.type === 'Property' ? describedName(parent, parents.at(-2)) : undefined;
  if (described !== undefined) return described;
  if (own !== undefined) return textField(own, 'name') ?? '<anonymous>';
  if (parent === undefined) return '<anonymous>';
  switch (parent.type) {
    case 'VariableDeclarator':
      return nameOf(nodeField(parent, 'id'), source);
    case 'AssignmentExpression':
    case 'AssignmentPattern':
      return assignedName(nodeField(parent, 'left'), source);
    case 'Property':
      return keyName(parent, source);
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return `${className(parents, source)}${keyName(parent, source)}`;
    case 'CallExpression':
    case 'NewExpression':
      return callbackName(node, parent, source);
    default:
      return '<anonymous>';
  }
}

/** `{ key: 'weekday', get: function get() {} }`: how compilers to older JavaScript write the members of a class. */
function describedName(property: Node, holder: Node | undefined): string | undefined {
  const kind = textField(nodeField(property, 'key') ?? property, 'name');
  if (holder === undefined || kind === undefined || !/^(get|set|value)$/.test(kind)) return undefined;
  const key = listField(holder, 'properties').find(
    (each) => textField(nodeField(each, 'key') ?? each, 'name') === 'key',
  );
  const name = key === undefined ? undefined : textField(nodeField(key, 'value') ?? key, 'value');
  return name === undefined ? undefined : kind === 'value' ? name : `${kind} ${name}`;
}

function keyName(holder: Node, source: string): string {
  const key = nodeField(holder, 'key');
  if (key === undefined) return '<anonymous>';
  const text =
    key.type === 'PrivateIdentifier'
      ? `#${textField(key, 'name') ?? ''}`
      : (textField(key, 'name') ?? textField(key, 'value'));
  const name = field(holder, 'computed') === true ? `[${source.slice(key.start, key.end)}]` : (text ?? '?');
  const kind = textField(holder, 'kind');
  return kind === 'get' || kind === 'set' ? `${kind} ${name}` : name;
}

function className(parents: readonly Node[], source: string): string {
  const index = parents.findLastIndex(({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression');
  const found = parents[index];
  if (found === undefined) return '';
  const id = nodeField(found, 'id');
  if (id !== undefined) return `${textField(id, 'name') ?? ''}.`;
  const holder = parents[index - 1];
  return holder?.type === 'VariableDeclarator' ? `${nameOf(nodeField(holder, 'id'), source)}.` : '';
}

function nameOf(node: Node | undefined, source: string): string {
  if (node === undefined) return '<anonymous>';
  return node.type === 'Identifier' ? (textField(node, 'name') ?? '') : source.slice(node.start, node.end).slice(0, 40);
}

/** `Cart.prototype.total = function` and `exports.total = function`: without what says nothing. */
function assignedName(left: Node | undefined, source: string): string {
  const text = nameOf(left, source);
  return text.replace(/\.prototype\./, '.').replace(/^(module\.)?exports\./, '');
}

/** `it("adds")` for what a test runner is given, `callback of map` for others. */
function callbackName(node: Node, call: Node, source: string): string {
  const callee = nodeField(call, 'callee');
  if (callee === undefined || callee === node) return '<anonymous>';
  const text = source.slice(callee.start, callee.end);
  // Bundlers and test runners write `(0, imports.it)(…)`.
  const name = /([\w$]+)\)*$/.exec(text)?.[1] ?? 'a call';
  const [first, second] = listField(call, 'arguments');
  // esbuild keeps names this way.
  if (name === '__name' && second !== undefined) return textField(second, 'value') ?? name;
  const title = first === undefined || first === node ? undefined : textField(first, 'value');
  return title === undefined ? `callback of ${name}` : `${name}(${JSON.stringify(title.slice(0, 60))})`;
}

/** The names that parameters bind, in order. */
export function boundNames(params: readonly Node[]): string[] {
  return params.flatMap((param) => namesIn(param));
}

function namesIn(pattern: Node | undefined): string[] {
  if (pattern === undefined) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [textField(pattern, 'name') ?? ''];
    case 'AssignmentPattern':
      return namesIn(nodeField(pattern, 'left'));
    case 'RestElement':
      return namesIn(nodeField(pattern, 'argument'));
    case 'ArrayPattern':
      return listField(pattern, 'elements').flatMap((each) => namesIn(each));
    case 'ObjectPattern':
      return listField(pattern, 'properties').flatMap((each) =>
        namesIn(each.type === 'Property' ? nodeField(each, 'value') : each),
      );
    default:
      return [];
  }
}
