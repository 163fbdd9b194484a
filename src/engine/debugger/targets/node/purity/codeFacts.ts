import type { Node } from 'acorn';
import { children, field, isFunction, listField, nodeField, textField } from '../scripts/syntaxTree.ts';
import { Bindings } from './bindings.ts';
import * as builtins from './builtins.ts';
import { chainOf, Expressions, isFunctionText, unwrapped } from './expressions.ts';

/** What running a piece of code can do, as far as its text tells. Everything inside it that could be run counts. */
export interface CodeFacts {
  /** What it calls and reads by names from outside: `helper`, `lib.parse`. */
  called: Set<string>;
  constructed: Set<string>;
  used: Set<string>;
  /** Functions from outside that it hands to methods of the language, to be called. */
  handed: Set<string>;
  /** It reads `a[b]` where b may be any text, so that something shared by all objects may come out. */
  readsAnyName: boolean;
  /** It writes `a[b]` where b may be any text, so that a method of the language may be hidden. */
  writesAnyName: boolean;
  /** It relies on `length` being a number. */
  trustsLength: boolean;
  /** It calls what a variable holds, and not always is it known what that is. */
  callsUnknown: boolean;
  /** Functions are put into objects or given back. */
  keepsFunctions: boolean;
  /** The objects that it changes: surely new ones; new if methods are the language's own; whatever it comes across. */
  changes: 'nothing' | 'new' | 'newByMethods' | 'anything';
}

/** Reads a function or an expression. Undefined: nothing can be said. */
export function factsOf(root: Node): CodeFacts | undefined {
  try {
    return new Reading(root).facts;
  } catch (error) {
    if (error instanceof CannotTell) return undefined;
    throw error;
  }
}

class CannotTell extends Error {}

const unreadable =
  /^(ThisExpression|Super|MetaProperty|Class\w*|AwaitExpression|ImportExpression|TaggedTemplateExpression|WithStatement|DebuggerStatement|PrivateIdentifier|Import\w*|Export\w*|StaticBlock)$/;

const severity = ['nothing', 'new', 'newByMethods', 'anything'] as const;

class Reading {
  readonly facts: CodeFacts = {
    called: new Set(),
    constructed: new Set(),
    used: new Set(),
    handed: new Set(),
    readsAnyName: false,
    writesAnyName: false,
    trustsLength: false,
    callsUnknown: false,
    keepsFunctions: false,
    changes: 'nothing',
  };
  readonly #bindings: Bindings;
  readonly #expressions: Expressions;

  constructor(root: Node) {
    this.#bindings = new Bindings(root);
    this.#expressions = new Expressions(this.#bindings, () => (this.facts.trustsLength = true));
    if (isFunction(root)) this.#function(root);
    else this.#visit(root);
  }

  #visit(node: Node): void {
    if (unreadable.test(node.type)) throw new CannotTell();
    switch (node.type) {
      case 'Identifier':
        return this.#use(node);
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.#each(children(node));
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'NewExpression':
        return this.#construct(node);
      case 'AssignmentExpression':
        return this.#assign(node);
      case 'UpdateExpression':
        return this.#target(nodeField(node, 'argument'));
      case 'UnaryExpression':
        if (textField(node, 'operator') === 'delete') return this.#target(nodeField(node, 'argument'), true);
        return this.#each(children(node));
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#loop(node);
      case 'VariableDeclarator':
        this.#pattern(nodeField(node, 'id'));
        return this.#value(nodeField(node, 'init'), true);
      case 'ObjectExpression':
        for (const property of listField(node, 'properties')) this.#property(property);
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#function(node);
      case 'CatchClause':
        this.#pattern(nodeField(node, 'param'));
        return this.#visitField(node, 'body');
      case 'LabeledStatement':
        return this.#visitField(node, 'body');
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'TemplateElement':
      case 'Literal':
        return;
      case 'ReturnStatement':
      case 'ArrayExpression':
      case 'ConditionalExpression':
      case 'LogicalExpression':
      case 'SequenceExpression':
      case 'SpreadElement':
      case 'YieldExpression':
      case 'ThrowStatement':
        for (const child of children(node)) this.#value(child, false);
        return;
      default:
        return this.#each(children(node));
    }
  }

  #each(nodes: readonly Node[]): void {
    for (const node of nodes) this.#visit(node);
  }

  #visitField(node: Node, name: string): void {
    const child = nodeField(node, name);
    if (child !== undefined) this.#visit(child);
  }

  /** A value that stays in a variable, or goes somewhere else. */
  #value(node: Node | undefined, stays: boolean): void {
    if (node === undefined) return;
    if (!stays && this.#isFunctionValue(node)) this.facts.keepsFunctions = true;
    this.#visit(node);
  }

  #isFunctionValue(node: Node): boolean {
    const plain = unwrapped(node);
    if (plain.type === 'AssignmentExpression') return this.#isFunctionValue(nodeField(plain, 'right') ?? plain);
    if (plain.type === 'Identifier') return this.#bindings.of(plain)?.given.some(isFunctionText) === true;
    return isFunctionText(plain);
  }

  #function(node: Node): void {
    if (field(node, 'async') === true) throw new CannotTell();
    for (const param of listField(node, 'params')) this.#pattern(param);
    const body = nodeField(node, 'body');
    if (body === undefined) return;
    if (body.type === 'BlockStatement') this.#visit(body);
    else this.#value(body, false);
  }

  /** A name, read. */
  #use(node: Node): void {
    if (this.#bindings.of(node) === undefined) this.facts.used.add(textField(node, 'name') ?? '');
  }

  #member(node: Node): void {
    const chain = this.#chain(node);
    if (chain !== undefined && !field(node, 'computed')) {
      this.#checkName(chain.split('.').slice(1));
      this.facts.used.add(chain);
      return;
    }
    this.#visitField(node, 'object');
    this.#key(nodeField(node, 'property'), field(node, 'computed') === true);
  }

  /** Names behind which functions of the language stand may only be called. */
  #checkName(names: readonly string[]): void {
    for (const name of names)
      if (builtins.sharedNames.has(name) || builtins.readingMethods.has(name) || builtins.mutatingMethods.has(name))
        throw new CannotTell();
  }

  #key(key: Node | undefined, isComputed: boolean): void {
    if (key === undefined) throw new CannotTell();
    const name = isComputed ? field(key, 'value') : textField(key, 'name');
    if (typeof name === 'string') return this.#checkName([name]);
    this.#visit(key);
    if (!this.#expressions.isNumber(key)) this.facts.readsAnyName = true;
  }

  #call(node: Node): void {
    const called = unwrapped(nodeField(node, 'callee') ?? node);
    const args = listField(node, 'arguments');
    const chain = this.#chain(called);
    let callback: Node | undefined;
    if (called.type === 'MemberExpression' && chain === undefined) callback = this.#callMethod(called, args);
    else if (chain !== undefined) callback = this.#callByName(chain, args);
    else if (isFunctionText(called)) this.#visit(called);
    else if (called.type === 'Identifier') {
      if (!this.#expressions.isKnownFunction(called)) this.facts.callsUnknown = true;
    } else throw new CannotTell();
    for (const argument of args) {
      if (argument === callback) this.#hand(argument);
      else this.#value(argument, false);
    }
  }

  /** A function that will be called, and no more. */
  #hand(callback: Node): void {
    const chain = this.#chain(unwrapped(callback));
    if (chain === undefined) return this.#visit(callback);
    this.#checkName(chain.split('.').slice(1));
    this.facts.handed.add(chain);
  }

  /** Gives the argument that is only called. */
  #callByName(chain: string, args: readonly Node[]): Node | undefined {
    const names = chain.split('.');
    if (names.some((name) => builtins.sharedNames.has(name))) throw new CannotTell();
    this.facts.called.add(chain);
    const method = names.at(-1) ?? '';
    // These call what they are given, with a `this` that may be anything.
    if (chain.startsWith('JSON.') && args[1] !== undefined && !isFunctionText(args[1]) && !isData(args[1]))
      throw new CannotTell();
    if (/^(Array\.from|\w+\.groupBy)$/.test(chain)) {
      if (args.length > 2) throw new CannotTell();
      if (args[1] !== undefined && !this.#expressions.isKnownFunction(args[1])) this.facts.callsUnknown = true;
      return args[1];
    }
    return names.length > 1 && builtins.readingMethods.has(method) ? this.#callbackOf(method, args) : undefined;
  }

  #callMethod(called: Node, args: readonly Node[]): Node | undefined {
    const property = nodeField(called, 'property');
    const object = nodeField(called, 'object');
    if (property === undefined || object === undefined || field(called, 'computed') === true) throw new CannotTell();
    const method = textField(property, 'name') ?? '';
    const changes = builtins.mutatingMethods.has(method);
    if (!changes && !builtins.readingMethods.has(method)) throw new CannotTell();
    this.#visit(object);
    if (changes) this.#change(object);
    return this.#callbackOf(method, args);
  }

  #callbackOf(method: string, args: readonly Node[]): Node | undefined {
    // More than one argument would be a `this` of its own for the function.
    if ((args.length > 1 || args.some((each) => each.type === 'SpreadElement')) && builtins.methodsWithThis.has(method))
      throw new CannotTell();
    if (!builtins.callingMethods.has(method)) return undefined;
    const callback = args[method.startsWith('replace') ? 1 : 0];
    if (callback === undefined || (method.startsWith('replace') && isData(callback))) return undefined;
    if (!this.#expressions.isKnownFunction(callback)) this.facts.callsUnknown = true;
    return callback;
  }

  #construct(node: Node): void {
    const callee = nodeField(node, 'callee');
    const args = listField(node, 'arguments');
    const name =
      callee?.type === 'Identifier' && this.#bindings.of(callee) === undefined ? textField(callee, 'name') : undefined;
    // What time it is now is not what it was then.
    if (name === undefined || (name === 'Date' && args.length === 0)) throw new CannotTell();
    this.facts.constructed.add(name);
    for (const argument of args) this.#value(argument, false);
  }

  #assign(node: Node): void {
    const left = nodeField(node, 'left');
    const right = nodeField(node, 'right');
    this.#target(left);
    this.#value(right, left?.type === 'Identifier');
    if (left?.type !== 'MemberExpression' || right === undefined) return;
    if (textField(nodeField(left, 'property') ?? left, 'name') === 'length' && !this.#expressions.isNumber(node))
      throw new CannotTell();
  }

  #loop(node: Node): void {
    const left = nodeField(node, 'left');
    if (field(node, 'await') === true) throw new CannotTell();
    if (left?.type === 'VariableDeclaration') this.#visit(left);
    else this.#target(left);
    this.#visitField(node, 'right');
    this.#visitField(node, 'body');
  }

  /** Something that is given a value, or taken away. */
  #target(node: Node | undefined, isDeleted = false): void {
    if (node === undefined) throw new CannotTell();
    const plain = unwrapped(node);
    if (plain.type === 'MemberExpression') return this.#targetMember(plain);
    if (isDeleted) throw new CannotTell();
    if (plain.type === 'Identifier') {
      // A variable of somebody else.
      if (this.#bindings.of(plain) === undefined) throw new CannotTell();
      return;
    }
    this.#pattern(plain);
  }

  #targetMember(node: Node): void {
    const object = nodeField(node, 'object');
    const property = nodeField(node, 'property');
    if (object === undefined || property === undefined) throw new CannotTell();
    this.#visit(object);
    this.#change(object);
    const isComputed = field(node, 'computed') === true;
    const name = isComputed ? field(property, 'value') : textField(property, 'name');
    if (typeof name === 'string') return this.#checkName([name]);
    this.#visit(property);
    if (!this.#expressions.isNumber(property)) this.facts.writesAnyName = true;
  }

  #change(object: Node): void {
    const plain = unwrapped(object);
    if (plain.type === 'Identifier' && this.#bindings.of(plain) === undefined) throw new CannotTell();
    const now = this.#expressions.isNew(plain, false)
      ? 'new'
      : this.#expressions.isNew(plain, true)
        ? 'newByMethods'
        : 'anything';
    if (severity.indexOf(now) > severity.indexOf(this.facts.changes)) this.facts.changes = now;
  }

  /** A pattern takes values apart by name, and may have defaults. */
  #pattern(node: Node | undefined): void {
    if (node === undefined) return;
    switch (node.type) {
      case 'Identifier':
        if (this.#bindings.of(node) === undefined) throw new CannotTell();
        return;
      case 'MemberExpression':
        return this.#targetMember(node);
      case 'RestElement':
        return this.#pattern(nodeField(node, 'argument'));
      case 'AssignmentPattern':
        this.#pattern(nodeField(node, 'left'));
        return this.#value(nodeField(node, 'right'), false);
      case 'ArrayPattern':
        for (const each of listField(node, 'elements')) this.#pattern(each);
        return;
      case 'ObjectPattern':
        for (const each of listField(node, 'properties')) {
          if (each.type !== 'RestElement') this.#key(nodeField(each, 'key'), field(each, 'computed') === true);
          this.#pattern(nodeField(each, 'value') ?? nodeField(each, 'argument'));
        }
        return;
      default:
        throw new CannotTell();
    }
  }

  #property(node: Node): void {
    if (node.type === 'SpreadElement') return this.#visitField(node, 'argument');
    const key = nodeField(node, 'key');
    const value = nodeField(node, 'value');
    if (key === undefined || value === undefined) throw new CannotTell();
    const isComputed = field(node, 'computed') === true;
    const name = isComputed ? field(key, 'value') : (textField(key, 'name') ?? field(key, 'value'));
    if (typeof name === 'string') {
      this.#checkName([name]);
      if (name === 'length' && !this.#expressions.isNumber(value)) throw new CannotTell();
    } else if (isComputed) {
      this.#visit(key);
      if (!this.#expressions.isNumber(key)) this.facts.writesAnyName = true;
    }
    this.#value(value, false);
  }

  /** `a.b.c` when a comes from outside. */
  #chain(node: Node): string | undefined {
    const chain = chainOf(node);
    return chain !== undefined && this.#bindings.of(chain.root) === undefined ? chain.text : undefined;
  }
}

function isData(node: Node): boolean {
  return node.type === 'Literal' || node.type === 'TemplateLiteral' || node.type === 'ArrayExpression';
}
