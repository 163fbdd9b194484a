import type { Node } from 'acorn';
import {
  children,
  field,
  isFunction,
  listField,
  nodeField,
  parseLeniently,
  textField,
} from '../../scripts/syntaxTree.ts';
import { Insertions } from './insertions.ts';
import { boundNames, functionName } from './names.ts';
import type { FileSites, FunctionSite } from './sites.ts';
import { handle, hotSlots, isNamed, type InstrumentOptions, type Place, type ProbeWish, type Scope } from './wishes.ts';
import { WriteRewriter } from './rewriteWrites.ts';

/** The source with what notes its calls, and what the numbers in it mean. Undefined when it cannot be read. */
export function instrument(source: string, options: InstrumentOptions): { code: string; sites: FileSites } | undefined {
  const tree = parseLeniently(source);
  return tree === undefined ? undefined : new Instrumenter(source, tree, options).run();
}

class Instrumenter {
  readonly #source: string;
  readonly #tree: Node;
  readonly #options: InstrumentOptions;
  readonly #out = new Insertions();
  readonly #sites: FileSites = { functions: [], writes: [], probes: [], lines: [] };
  readonly #writes: WriteRewriter;
  readonly #lineStarts: number[] = [0];
  /** Before which statement each probe stands. */
  readonly #probed = new Map<Node, ProbeWish[]>();

  constructor(source: string, tree: Node, options: InstrumentOptions) {
    this.#source = source;
    this.#tree = tree;
    this.#options = options;
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
    this.#writes = new WriteRewriter({
      source,
      out: this.#out,
      sites: this.#sites,
      numbers: options.numbers,
      wishes: options.writes,
      placeOf: (position) => this.#place(position),
    });
  }

  run(): { code: string; sites: FileSites } {
    const wrapper = this.#options.form === 'script' ? wrapperOf(this.#tree) : undefined;
    this.#chooseProbes();
    this.#visit(this.#tree, { call: 'null', depth: 0, isCompilers: wrapper !== undefined }, [], wrapper);
    if (this.#out.isEmpty) return { code: this.#source, sites: this.#sites };
    this.#fetchHandle(wrapper);
    return { code: this.#out.apply(this.#source), sites: this.#sites };
  }

  /** Looking a global up is slow in other realms than the first: it is done once. In a module, functions may run before its first line. */
  #fetchHandle(wrapper: Node | undefined): void {
    const body = this.#options.form === 'body' ? this.#tree : nodeField(wrapper ?? this.#tree, 'body');
    if (body === undefined || !/^(Program|BlockStatement)$/.test(body.type)) return;
    const hashbang = /^#!.*\n?/.exec(this.#source)?.[0].length ?? 0;
    const at = afterDirectives(body, body.type === 'Program' ? hashbang : body.start + 1);
    this.#out.openFirst(at, `;const ${handle}=globalThis.${handle};`);
  }

  #visit(node: Node, scope: Scope, parents: readonly Node[], wrapper?: Node): void {
    if (isFunction(node)) {
      if (node === wrapper) this.#children(node, { call: 'null', depth: scope.depth }, parents);
      else this.#function(node, scope, parents);
      return;
    }
    if (node.type === 'StaticBlock' && scope.call !== 'null') {
      this.#visit(node, { ...scope, call: 'null' }, parents, wrapper);
      return;
    }
    for (const { statement, isBare } of statementsIn(node)) this.#statement(statement, scope, isBare);
    for (const exported of exportedValues(node))
      this.#out.open(exported.start, this.#count(this.#place(exported.start)));
    if (scope.call !== 'null') this.#suspensions(node, scope);
    this.#writes.rewrite(node, scope, parents);
    this.#children(node, scope, parents, wrapper);
  }

  #children(node: Node, scope: Scope, parents: readonly Node[], wrapper?: Node): void {
    const path = [...parents, node];
    for (const child of children(node)) {
      const isLast = node.type === 'TryStatement' && child === nodeField(node, 'finalizer');
      this.#visit(child, isLast ? { ...scope, isFinalizer: true } : scope, path, wrapper);
    }
  }

  /** A function that is not noted: what is inside belongs to whoever called it. */
  #plain(node: Node, scope: Scope, parents: readonly Node[]): void {
    const isCompilersOwn = scope.isCompilers === true || isCompilers(functionName(node, parents, this.#source));
    this.#children(node, { call: 'null', depth: scope.depth, isCompilers: isCompilersOwn }, parents);
  }

  #function(node: Node, outer: Scope, parents: readonly Node[]): void {
    const body = nodeField(node, 'body');
    const place = this.#place(node.start);
    const name = functionName(node, parents, this.#source);
    if (
      body === undefined ||
      place === undefined ||
      isCompilers(name) ||
      !this.#options.wantsFunction(name) ||
      hasClashes(body)
    ) {
      this.#plain(node, outer, parents);
      return;
    }
    const params = listField(node, 'params');
    const site = this.#functionSite(node, name, place, boundNames(params));
    const inner: Scope = { call: `$c${outer.depth + 1}`, depth: outer.depth + 1, name };
    const path = [...parents, node];
    // Defaults of parameters are evaluated before the call is noted.
    for (const param of params) this.#visit(param, outer, path);
    if (body.type === 'BlockStatement') this.#blockBody(node, body, site, { inner, outer, parents });
    else this.#expressionBody(node, body, site, { inner, outer });
    this.#visit(body, inner, path);
  }

  #functionSite(node: Node, name: string, place: Place, params: readonly string[]): FunctionSite {
    const isAsync = field(node, 'async') === true;
    const isGenerator = field(node, 'generator') === true;
    const kind = isAsync ? (isGenerator ? 'asyncGenerator' : 'async') : isGenerator ? 'generator' : undefined;
    const end = this.#place(node.end - 1);
    const endLine = end?.file === place.file ? Math.max(end.line, place.line) : place.line;
    const site: FunctionSite = {
      id: this.#options.numbers.next(),
      name,
      ...place,
      endLine,
      params,
      ...(kind === undefined ? {} : { kind }),
    };
    this.#sites.functions.push(site);
    return site;
  }

  #entry(node: Node, site: FunctionSite, inner: Scope, outer: Scope, self: string): string {
    const { id } = site;
    const parameters = this.#writes.parameters(site.params, node, inner);
    const hot = `${handle}.h[${id % hotSlots}]++<${handle}.m`;
    return `;const ${inner.call}=${hot}?${handle}.e(${id},${outer.call},[${site.params.join(',')}]${self}):null;${parameters}${this.#functionProbes(site, inner)}try{`;
  }

  #exit(site: FunctionSite, inner: Scope): string {
    return `}catch($e){${handle}.t(${inner.call},${site.id},$e);throw $e}finally{${inner.call}&&${handle}.x(${inner.call})}`;
  }

  #blockBody(
    node: Node,
    body: Node,
    site: FunctionSite,
    { inner, outer, parents }: { inner: Scope; outer: Scope; parents: readonly Node[] },
  ): void {
    const hasSelf = node.type !== 'ArrowFunctionExpression' && !isConstructor(parents.at(-1));
    const start = afterDirectives(body, body.start + 1);
    const entry = this.#entry(node, site, inner, outer, hasSelf ? ',this' : '');
    const last = this.#place(body.end - 1);
    const end = last === undefined ? [] : this.#everywhere(last, inner).map((probe) => this.#probe(probe, last, inner));
    const exit = `${end.join('')}${this.#exit(site, inner)}`;
    if (start === body.end - 1) this.#out.open(start, entry + exit);
    else {
      this.#out.open(start, entry);
      this.#out.close(body.end - 1, exit);
    }
  }

  #expressionBody(node: Node, body: Node, site: FunctionSite, { inner, outer }: { inner: Scope; outer: Scope }): void {
    const arrow = this.#source.lastIndexOf('=>', body.start);
    const line = this.#place(body.start)?.line ?? site.line;
    const place = this.#place(body.start);
    const probes =
      place === undefined ? [] : this.#everywhere(place, inner).map((each) => this.#probe(each, place, inner));
    const entry = this.#entry(node, site, inner, outer, '') + this.#count(place) + probes.join('');
    this.#out.open(arrow + 2, `{${entry}return ${handle}.r(${inner.call},${line},(`);
    this.#out.close(node.end, `))${this.#exit(site, inner)}}`);
  }

  #statement(node: Node, scope: Scope, isBare: boolean): void {
    // Compilers make `(0, module.f)()` of the call of an import: only what follows the comma was written by somebody.
    const isImported = this.#source.startsWith('(0,', node.start);
    const place = this.#place(node.start) ?? (isImported ? this.#place(node.start + 3) : undefined);
    if (place === undefined) return;
    const { call } = scope;
    const mark =
      call === 'null' || scope.isFinalizer === true || !canLeave(node) ? '' : `;${call}&&(${call}.l=${place.line});`;
    const wanted = [...(this.#probed.get(node) ?? []), ...this.#everywhere(place, scope)];
    const probes = wanted.map((probe) => this.#probe(probe, place, scope)).join('');
    const isCounted = scope.isCompilers !== true && node.type !== 'BlockStatement' && !handsOut(this.#source, node);
    const count = isCounted ? this.#count(place) : '';
    if (mark === '' && probes === '' && count === '') return;
    this.#out.open(node.start, `${isBare ? '{' : ''}${count}${mark}${probes}`);
    if (isBare) this.#out.close(node.end, '}');
  }

  #count(place: Place | undefined): string {
    if (this.#options.countsLines !== true || place === undefined) return '';
    const id = this.#options.numbers.next();
    this.#sites.lines.push({ id, ...place });
    return `;${handle}.b(${id});`;
  }

  /** Whoever waits is not the one that runs: the recorder is told when a function leaves off and goes on. */
  #suspensions(node: Node, { call }: Scope): void {
    const argument = nodeField(node, 'argument');
    if (node.type === 'ReturnStatement' && argument !== undefined) {
      const line = this.#place(node.start)?.line ?? 0;
      this.#wrap(argument, `${handle}.r(${call},${line},(`, '))');
    } else if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') {
      this.#wrap(node, `${handle}.a(${call},`, ')');
      if (argument !== undefined && field(node, 'delegate') !== true)
        this.#wrap(argument, `${handle}.s(${call},(`, '))');
    } else if (node.type === 'CatchClause') {
      const body = nodeField(node, 'body');
      if (body !== undefined) this.#out.open(body.start + 1, `${handle}.k(${call});`);
    } else if (node.type === 'ForOfStatement' && field(node, 'await') === true) {
      const body = nodeField(node, 'body');
      if (body?.type === 'BlockStatement') this.#out.open(body.start + 1, `${handle}.k(${call});`);
    }
  }

  #wrap(node: Node, before: string, after: string): void {
    this.#out.open(node.start, before);
    this.#out.close(node.end, after);
  }

  /** Probes that are evaluated before each statement here. */
  #everywhere(place: Place, { name }: Scope): ProbeWish[] {
    return this.#options.probes.filter(
      (probe) =>
        probe.isEverywhere === true &&
        (probe.file === undefined || probe.file === place.file) &&
        (probe.function === undefined || (name !== undefined && isNamed(name, probe.function))) &&
        // Elsewhere `this` is something else.
        (!/^this\b/.test(probe.expressions[0] ?? '') || /^[\w$]+\.[\w$#]+$/.test(name ?? '')),
    );
  }

  #functionProbes(site: FunctionSite, scope: Scope): string {
    return this.#options.probes
      .filter(
        (probe) =>
          probe.function !== undefined &&
          probe.line === undefined &&
          probe.isEverywhere !== true &&
          isNamed(site.name, probe.function),
      )
      .map((probe) => this.#probe(probe, site, scope))
      .join('');
  }

  /** The statement that begins at the line; else the innermost that goes over it. */
  #chooseProbes(): void {
    const wanted = this.#options.probes.filter(({ line }) => line !== undefined);
    if (wanted.length === 0) return;
    const statements = allStatements(this.#tree).flatMap((node) => {
      const place = this.#place(node.start);
      return place === undefined ? [] : [{ node, place, endLine: this.#place(node.end - 1)?.line ?? place.line }];
    });
    for (const probe of wanted) {
      const line = probe.line ?? 0;
      const here = statements.filter(({ place }) => place.file === probe.file);
      const over = here.filter(({ place, endLine }) => place.line < line && endLine >= line);
      const found = here.find(({ place }) => place.line === line) ?? over.at(-1);
      if (found !== undefined) this.#probed.set(found.node, [...(this.#probed.get(found.node) ?? []), probe]);
    }
  }

  #probe(probe: ProbeWish, place: Place, scope: Scope): string {
    const id = this.#options.numbers.next();
    this.#sites.probes.push({ id, probe: probe.id, file: place.file, line: place.line });
    const readers = probe.expressions.map((expression) => `()=>(${expression.replaceAll(/\s*\n\s*/g, ' ')})`);
    return `;${handle}.p(${scope.call},${id},[${readers.join(',')}]);`;
  }

  #place(position: number): Place | undefined {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return this.#options.placeOf(low + 1, position - (this.#lineStarts[low] ?? 0) + 1);
  }
}

/** Functions that compilers add: nobody wrote them. */
function isCompilers(name: string): boolean {
  return /^(callback of )?__(vite|vi|export|esm|commonJS|toESM)/.test(name);
}

/** `__vite_ssr_exportName__(…)`, `Object.defineProperty(__vi_export__, …)`: hands an export out; nobody wrote it. */
function handsOut(source: string, { start }: Node): boolean {
  return /^(?:Object\.defineProperty\(\s*)?__(?:vite|vi)_(?:ssr_)?export/.test(source.slice(start, start + 80));
}

function isConstructor(parent: Node | undefined): boolean {
  return parent?.type === 'MethodDefinition' && textField(parent, 'kind') === 'constructor';
}

/** Statements before which something can stand; a bare one needs braces for that. */
function statementsIn(node: Node): { statement: Node; isBare: boolean }[] {
  const list =
    node.type === 'SwitchCase'
      ? listField(node, 'consequent')
      : /^(Program|BlockStatement|StaticBlock)$/.test(node.type)
        ? listField(node, 'body')
        : [];
  const found = list.filter(
    (each) => textField(each, 'directive') === undefined && !/^(Import|Export|Function|Empty)/.test(each.type),
  );
  return [...found.map((statement) => ({ statement, isBare: false })), ...bareBodies(node)];
}

/** `export const x = f()`: statements too, although nothing but a count stands before them. */
function exportedValues(node: Node): Node[] {
  if (node.type !== 'Program') return [];
  return listField(node, 'body').filter(
    (each) =>
      /^Export(Named|Default)/.test(each.type) && !/^(Function|TS|$)/.test(nodeField(each, 'declaration')?.type ?? ''),
  );
}

function bareBodies(node: Node): { statement: Node; isBare: boolean }[] {
  if (!/^(If|For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type)) return [];
  const bodies = ['consequent', 'alternate', 'body'].flatMap((name) => nodeField(node, name) ?? []);
  return (
    bodies
      // `else if` stays what it is.
      .filter((body) => !/^(Block|Empty)Statement$/.test(body.type) && body !== chained(node))
      .map((statement) => ({ statement, isBare: true }))
  );
}

function chained(node: Node): Node | undefined {
  const alternate = nodeField(node, 'alternate');
  return alternate?.type === 'IfStatement' ? alternate : undefined;
}

function allStatements(node: Node): Node[] {
  const own = statementsIn(node).map(({ statement }) => statement);
  return [...own, ...children(node).flatMap((child) => allStatements(child))];
}

function afterDirectives(body: Node, start: number): number {
  const directives = listField(body, 'body').filter((each) => textField(each, 'directive') !== undefined);
  return directives.at(-1)?.end ?? start;
}

/** The function into which a loader has put a module, when the script is nothing else. */
function wrapperOf(tree: Node): Node | undefined {
  const statements = listField(tree, 'body').filter((each) => textField(each, 'directive') === undefined);
  const [only] = statements;
  return statements.length === 1 && only?.type === 'ExpressionStatement' ? outermostFunction(only) : undefined;
}

function outermostFunction(node: Node): Node | undefined {
  if (isFunction(node)) return node;
  if (node.type === 'CallExpression') return undefined;
  for (const child of children(node)) {
    const found = outermostFunction(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a statement can call or throw something, so that the line at which it did is worth knowing. */
function canLeave({ type }: Node): boolean {
  return !/^(Break|Continue|Class|Debugger|Block|Try|Labeled)/.test(type);
}

/** Functions declared twice, or beside a variable of the same name: legal in a function, not in the block that we put around its body. */
function hasClashes(body: Node): boolean {
  if (body.type !== 'BlockStatement') return false;
  const declared = listField(body, 'body').filter(({ type }) => type === 'FunctionDeclaration');
  const names = declared.map((each) => textField(nodeField(each, 'id') ?? each, 'name') ?? '');
  if (names.length === 0) return false;
  return new Set(names).size < names.length || variablesIn(body).some((name) => names.includes(name));
}

function variablesIn(node: Node): string[] {
  if (isFunction(node)) return [];
  const own =
    node.type === 'VariableDeclaration' && textField(node, 'kind') === 'var'
      ? listField(node, 'declarations').flatMap((each) => boundNames([nodeField(each, 'id') ?? each]))
      : [];
  return [...own, ...children(node).flatMap((child) => variablesIn(child))];
}
