import type { Node } from 'acorn';
import { field, listField, nodeField, textField } from '../../scripts/syntaxTree.ts';
import type { Insertions } from './insertions.ts';
import { boundNames } from './names.ts';
import { handle, type Place, type Scope, type WriteWishes } from './wishes.ts';
import type { FileSites, SiteNumbers, WriteSite } from './sites.ts';

interface Parts {
  source: string;
  out: Insertions;
  sites: FileSites;
  numbers: SiteNumbers;
  wishes: WriteWishes;
  placeOf: (position: number) => Place | undefined;
}

/** Methods that change what they are called on. */
const changers = /^(push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|append)$/;

/**
 * Puts what notes a write around assignments, deletions and calls that change their receiver. The code still does the writing:
 * `a.b = c` becomes `w(call, site, o(call, site, a).b = v(call, site, c))`, where `o` and `v` give back what they get.
 */
export class WriteRewriter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  rewrite(node: Node, scope: Scope, parents: readonly Node[]): void {
    if (this.#parts.wishes.mode === 'none') return;
    switch (node.type) {
      case 'AssignmentExpression':
        this.#assignment(node, scope);
        break;
      case 'UpdateExpression':
        this.#update(node, scope, parents);
        break;
      case 'UnaryExpression':
        if (textField(node, 'operator') === 'delete') this.#deletion(node, scope);
        break;
      case 'VariableDeclarator':
        this.#declaration(node, scope, parents);
        break;
      case 'CallExpression':
        this.#call(node, scope);
        break;
      case 'MemberExpression':
        this.#read(node, scope, parents);
        break;
      case 'Property':
      case 'PropertyDefinition':
        this.#member(node, scope, parents);
        break;
      case 'VariableDeclaration':
        this.#patterns(node, scope, parents);
        break;
      case 'ForOfStatement':
      case 'ForInStatement':
        this.#loopVariable(node, scope);
        break;
      default:
    }
  }

  #assignment(node: Node, scope: Scope): void {
    const left = nodeField(node, 'left');
    const right = nodeField(node, 'right');
    if (left === undefined || right === undefined) return;
    if (left.type === 'Identifier') {
      if (!isNameless(right)) this.#variable(node, left, scope);
      return;
    }
    if (left.type !== 'MemberExpression' || isUnwritable(left)) return;
    const site = this.#site(left, 'assign');
    if (site === undefined) return;
    this.#around(node, left, site, scope);
    const old = privateText(left, this.#parts.source);
    this.#wrap(right, `${handle}.v(${scope.call},${site.id},(`, `)${old === undefined ? '' : `,${old}`})`);
  }

  #update(node: Node, scope: Scope, parents: readonly Node[]): void {
    const argument = nodeField(node, 'argument');
    if (argument === undefined) return;
    if (argument.type === 'Identifier') {
      if (parents.at(-1)?.type !== 'ForStatement' || this.#isWatched(textField(argument, 'name')))
        this.#variable(node, argument, scope);
      return;
    }
    if (argument.type !== 'MemberExpression' || isUnwritable(argument)) return;
    const site = this.#site(argument, 'assign');
    if (site === undefined) return;
    const member = privateText(argument, this.#parts.source);
    if (member === undefined) this.#around(node, argument, site, scope);
    // A private field can be read only by the code of its class.
    else this.#wrap(node, `${handle}.n(${scope.call},${site.id},${member},`, `,${member})`);
  }

  #deletion(node: Node, scope: Scope): void {
    const argument = nodeField(node, 'argument');
    if (argument?.type !== 'MemberExpression' || isUnwritable(argument)) return;
    const site = this.#site(argument, 'delete');
    if (site !== undefined) this.#around(node, argument, site, scope);
  }

  #declaration(node: Node, scope: Scope, parents: readonly Node[]): void {
    const id = nodeField(node, 'id');
    const init = nodeField(node, 'init');
    if (id?.type !== 'Identifier' || init === undefined || isNameless(init)) return;
    const isCounter = parents.at(-2)?.type === 'ForStatement';
    const name = textField(id, 'name');
    if (this.#parts.wishes.mode === 'all' ? isCounter && !this.#isWatched(name) : !this.#isWatched(name)) return;
    const site = this.#site(id, 'variable');
    if (site !== undefined) this.#wrap(init, `${handle}.i(${scope.call},${site.id},(`, '))');
  }

  /** `{ count: 0 }` and the field of a class: where a watched property begins. */
  #member(node: Node, scope: Scope, parents: readonly Node[]): void {
    const key = nodeField(node, 'key');
    const value = nodeField(node, 'value');
    if (key === undefined || value === undefined || isNameless(value) || field(node, 'computed') === true) return;
    if (parents.at(-1)?.type === 'ObjectPattern' || field(node, 'shorthand') === true || field(node, 'static') === true)
      return;
    const name = `${key.type === 'PrivateIdentifier' ? '#' : ''}${textField(key, 'name') ?? textField(key, 'value') ?? ''}`;
    if (!this.#isWatched(name)) return;
    const site = this.#site(key, 'member', name);
    // A field is initialised outside of any function.
    const call = node.type === 'PropertyDefinition' ? 'null' : scope.call;
    if (site !== undefined) this.#wrap(value, `${handle}.i(${call},${site.id},(`, '))');
  }

  /** `const { count } = options`: looked at once it is there. */
  #patterns(node: Node, scope: Scope, parents: readonly Node[]): void {
    if (!/^(Program|BlockStatement|SwitchCase|StaticBlock|ExportNamedDeclaration)$/.test(parents.at(-1)?.type ?? ''))
      return;
    const patterns = listField(node, 'declarations').flatMap((each) => nodeField(each, 'id') ?? []);
    const names = boundNames(patterns.filter(({ type }) => type !== 'Identifier'));
    this.#out(node.end, 'close', this.#namesNow(names, node, scope));
  }

  #loopVariable(node: Node, scope: Scope): void {
    const left = nodeField(node, 'left');
    const body = nodeField(node, 'body');
    if (left?.type !== 'VariableDeclaration' || body?.type !== 'BlockStatement') return;
    const names = boundNames(listField(left, 'declarations').flatMap((each) => nodeField(each, 'id') ?? []));
    this.#out(body.start + 1, 'open', this.#namesNow(names, left, scope));
  }

  /** What notes the values that parameters begin with. */
  parameters(names: readonly string[], node: Node, scope: Scope): string {
    return this.#parts.wishes.mode === 'watched' ? this.#namesNow(names, node, scope) : '';
  }

  #namesNow(names: readonly string[], node: Node, scope: Scope): string {
    return names
      .filter((name) => this.#isWatched(name))
      .map((name) => {
        const site = this.#site(node, 'variable', name);
        return site === undefined ? '' : `;${handle}.i(${scope.call},${site.id},${name});`;
      })
      .join('');
  }

  #out(position: number, way: 'open' | 'close', text: string): void {
    if (text !== '') this.#parts.out[way](position, text);
  }

  #variable(node: Node, id: Node, scope: Scope): void {
    const name = textField(id, 'name') ?? '';
    if (this.#parts.wishes.mode !== 'all' && !this.#isWatched(name)) return;
    const site = this.#site(id, 'variable');
    if (site === undefined) return;
    this.#wrap(node, `${handle}.n(${scope.call},${site.id},typeof ${name}==="undefined"?void 0:${name},`, `,${name})`);
  }

  /** `a.b.push(x)`, and `Object.assign(a.b, …)`. */
  #call(node: Node, scope: Scope): void {
    const callee = nodeField(node, 'callee');
    if (callee?.type !== 'MemberExpression' || isUnwritable(callee) || field(node, 'optional') === true) return;
    const object = nodeField(callee, 'object');
    const property = nodeField(callee, 'property');
    if (object === undefined || property === undefined || field(callee, 'computed') === true) return;
    const name = textField(property, 'name') ?? '';
    const isStatic = ['Object', 'Reflect'].includes(textField(object, 'name') ?? '');
    const [first] = listField(node, 'arguments');
    const changed = isStatic ? (/^(assign|define|set|delete)/.test(name) ? first : undefined) : object;
    if (changed === undefined || changed.type === 'SpreadElement' || (!isStatic && !changers.test(name))) return;
    const site = this.#site(changed, 'call');
    if (site === undefined) return;
    this.#wrap(node, `${handle}.w(${scope.call},${site.id},`, ')');
    this.#wrap(changed, `${handle}.o(${scope.call},${site.id},`, ')');
  }

  /** A read of what is watched shows the object that is there, so that changes inside it are known for what they are. */
  #read(node: Node, scope: Scope, parents: readonly Node[]): void {
    const parent = parents.at(-1);
    if (!this.#isWatched(keyOf(node)) || isUnwritable(node) || parent === undefined) return;
    const isTarget = ['left', 'argument', 'callee', 'tag'].some((name) => nodeField(parent, name) === node);
    if (isTarget && !/^(Return|Throw|Await|Yield|Spread|Binary|Logical)/.test(parent.type)) return;
    if (
      /Pattern|^RestElement|^For(In|Of)|^ChainExpression|^MemberExpression/.test(parent.type) &&
      isTargetOf(parent, node)
    )
      return;
    if (parent.type === 'Property' && parents.at(-2)?.type === 'ObjectPattern') return;
    const site = this.#site(node, 'read');
    if (site !== undefined) this.#wrap(node, `${handle}.g(${scope.call},${site.id},`, ')');
  }

  #around(node: Node, member: Node, site: WriteSite, scope: Scope): void {
    const object = nodeField(member, 'object');
    const property = nodeField(member, 'property');
    if (object === undefined || property === undefined) return;
    this.#wrap(node, `${handle}.w(${scope.call},${site.id},`, ')');
    this.#wrap(object, `${handle}.o(${scope.call},${site.id},`, ')');
    if (field(member, 'computed') === true) this.#wrap(property, `${handle}.y(${site.id},(`, '))');
  }

  #site(node: Node, kind: WriteSite['kind'], name?: string): WriteSite | undefined {
    const place = this.#parts.placeOf(node.start);
    if (place === undefined) return undefined;
    const key = name ?? keyOf(node);
    const target = name ?? this.#parts.source.slice(node.start, node.end).replaceAll(/\s+/g, ' ').slice(0, 80);
    const site = { id: this.#parts.numbers.next(), ...place, target, kind, ...(key === undefined ? {} : { key }) };
    this.#parts.sites.writes.push(site);
    return site;
  }

  #isWatched(name: string | undefined): boolean {
    return name !== undefined && this.#parts.wishes.names.has(name);
  }

  #wrap(node: Node, before: string, after: string): void {
    this.#parts.out.open(node.start, before);
    this.#parts.out.close(node.end, after);
  }
}

function keyOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return textField(node, 'name');
  if (node.type !== 'MemberExpression') return undefined;
  const property = nodeField(node, 'property');
  if (property === undefined) return undefined;
  if (property.type === 'PrivateIdentifier') return `#${textField(property, 'name') ?? ''}`;
  if (field(node, 'computed') !== true) return textField(property, 'name');
  return property.type === 'Literal' ? String(field(property, 'value')) : undefined;
}

/** `super.x`, and parts of a chain with `?.`, whose shape must stay. */
function isUnwritable(member: Node): boolean {
  for (
    let node: Node | undefined = member;
    node !== undefined;
    node = nodeField(node, 'object') ?? nodeField(node, 'callee')
  ) {
    if (node.type === 'Super' || field(node, 'optional') === true) return true;
    if (node.type !== 'MemberExpression' && node.type !== 'CallExpression') return false;
  }
  return false;
}

/** `this.#x`, where looking at it again costs nothing. */
function privateText(member: Node, source: string): string | undefined {
  const property = nodeField(member, 'property');
  const object = nodeField(member, 'object');
  if (property?.type !== 'PrivateIdentifier' || object === undefined) return undefined;
  return /^(ThisExpression|Identifier)$/.test(object.type) ? source.slice(member.start, member.end) : undefined;
}

/** A function or class takes its name from what it is assigned to, unless something stands between. */
function isNameless(node: Node): boolean {
  return /^(ArrowFunction|Function|Class)Expression$/.test(node.type);
}

/** Whether a node is what its parent writes to, or goes on from. */
function isTargetOf(parent: Node, node: Node): boolean {
  return parent.type === 'MemberExpression' ? false : nodeField(parent, 'right') !== node;
}
