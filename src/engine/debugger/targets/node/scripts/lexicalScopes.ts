import type { Node } from 'acorn';
import { children, field, isFunction, listField, nodeField, textField } from './syntaxTree.ts';

/** A scope of a text, with the offsets at which its names are declared. */
export interface LexicalScope {
  start: number;
  end: number;
  declared: Map<string, number>;
  /** Where names, and members of them (`a.b`), are used in it, inner functions and blocks left out. */
  used: Map<string, number[]>;
  inner: LexicalScope[];
  /** Where the name of the function stands, when this is a function's scope and it has one. */
  functionName?: number;
}

/** The scopes of a program, as the language defines them. */
export function lexicalScopes(program: Node): LexicalScope {
  const root = scopeOf(program.start, program.end);
  const stack: { node: Node; scope: LexicalScope; hoisting: LexicalScope; name?: number }[] = [
    { node: program, scope: root, hoisting: root },
  ];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { node } = item;
    const name = usedName(node);
    if (name !== undefined) use(item.scope, name, node.start);
    let { scope, hoisting } = item;
    const id = nodeField(node, 'id');
    if (/^(Function|Class)Declaration$/.test(node.type)) declare(scope, id);
    if (node.type === 'VariableDeclaration')
      for (const each of children(node))
        declare(textField(node, 'kind') === 'var' ? hoisting : scope, nodeField(each, 'id'));
    if (/^Import.*Specifier$/.test(node.type)) declare(scope, nodeField(node, 'local'));
    if (isFunction(node)) {
      const params = listField(node, 'params');
      const body = nodeField(node, 'body');
      scope = hoisting = open(scope, params[0]?.start ?? body?.start ?? node.start, node.end);
      for (const param of params) declare(scope, param);
      const name = id?.start ?? item.name;
      if (name !== undefined) scope.functionName = name;
      if (node.type === 'FunctionExpression' && id !== undefined) declareIfNew(scope, id);
    } else if (node.type === 'CatchClause') {
      scope = open(scope, node.start, node.end);
      declare(scope, nodeField(node, 'param'));
    } else if (/^(BlockStatement|For(In|Of)?Statement|SwitchStatement|StaticBlock)$/.test(node.type)) {
      scope = open(scope, node.start, node.end);
    }
    // The name of `const total = () => …` stands on the node around the function.
    const nameAt = (id ?? nodeField(node, 'key'))?.start;
    const member =
      field(node, 'computed') === true ? undefined : (nodeField(node, 'property') ?? nodeField(node, 'key'));
    for (const child of children(node))
      if (child !== member)
        stack.push({
          node: child,
          scope,
          hoisting,
          ...(nameAt === undefined || isFunction(node) ? {} : { name: nameAt }),
        });
  }
  return root;
}

/** The scopes around an offset, innermost first. */
export function scopesAt(root: LexicalScope, offset: number): LexicalScope[] {
  const found: LexicalScope[] = [];
  for (let scope: LexicalScope | undefined = root; scope !== undefined;) {
    found.unshift(scope);
    scope = scope.inner.findLast((each) => each.start <= offset && offset < each.end);
  }
  return found;
}

function scopeOf(start: number, end: number): LexicalScope {
  return { start, end, declared: new Map(), used: new Map(), inner: [] };
}

function open(outer: LexicalScope, start: number, end: number): LexicalScope {
  const scope = scopeOf(start, end);
  outer.inner.push(scope);
  return scope;
}

function usedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return textField(node, 'name');
  if (node.type !== 'MemberExpression' || field(node, 'computed') === true) return undefined;
  const object = nodeField(node, 'object');
  const property = nodeField(node, 'property');
  if (object?.type !== 'Identifier' || property?.type !== 'Identifier') return undefined;
  return `${textField(object, 'name') ?? ''}.${textField(property, 'name') ?? ''}`;
}

function use({ used }: LexicalScope, name: string, offset: number): void {
  const known = used.get(name);
  if (known === undefined) used.set(name, [offset]);
  else known.push(offset);
}

/** A name or a pattern of names. */
function declare(scope: LexicalScope, pattern: Node | undefined): void {
  if (pattern === undefined) return;
  if (pattern.type === 'Identifier') return void scope.declared.set(textField(pattern, 'name') ?? '', pattern.start);
  if (pattern.type === 'AssignmentPattern') return declare(scope, nodeField(pattern, 'left'));
  if (pattern.type === 'RestElement') return declare(scope, nodeField(pattern, 'argument'));
  if (pattern.type === 'ArrayPattern') for (const each of listField(pattern, 'elements')) declare(scope, each);
  if (pattern.type === 'ObjectPattern')
    for (const each of listField(pattern, 'properties')) declare(scope, nodeField(each, 'value') ?? each);
}

function declareIfNew(scope: LexicalScope, id: Node): void {
  if (!scope.declared.has(textField(id, 'name') ?? '')) declare(scope, id);
}
