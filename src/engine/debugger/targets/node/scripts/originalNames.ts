import type { Node } from 'acorn';
import { LineIndex } from '../../../../../base/positions.ts';
import { type LexicalScope, lexicalScopes, scopesAt } from './lexicalScopes.ts';
import type { ScriptMap } from '../../../../../base/sourceMaps.ts';
import { children, field, nodeField, parseLeniently, textField } from './syntaxTree.ts';

/** A range in V8's positions, 0-based. */
interface Place {
  lineNumber: number;
  columnNumber?: number;
}

/** Bundles beyond this are shown with the names they have: reading them would hold up everything else. */
export const maxParsedChars = 3_000_000;

/**
 * The names that the variables of a compiled script had in its source. Compilers keep them in the map at each place where they
 * changed one; so the declaration of every variable in sight is found in the compiled text, and the map asked for that place.
 */
export class OriginalNames {
  readonly #index: LineIndex;
  readonly #root: LexicalScope;
  readonly #map: ScriptMap;
  readonly #imports = new Map<LexicalScope, Map<string, ReadonlyMap<string, string>>>();

  /** Undefined when the script is too large or not to be parsed. */
  static of(source: string, map: ScriptMap): OriginalNames | undefined {
    const program = source.length <= maxParsedChars ? parseLeniently(source) : undefined;
    return program === undefined ? undefined : new OriginalNames(source, program, map);
  }

  private constructor(source: string, program: Node, map: ScriptMap) {
    this.#index = new LineIndex(source);
    this.#root = lexicalScopes(program);
    this.#map = map;
  }

  /** What a variable of one of V8's scopes was called; its own name when it was not changed. `at` is where the program stands. */
  shownName(name: string, at: Place, scope: { startLocation?: Place; endLocation?: Place }): string {
    const start = scope.startLocation === undefined ? 0 : this.#offset(scope.startLocation);
    const end = scope.endLocation === undefined ? Infinity : this.#offset(scope.endLocation);
    const candidates = scopesAt(this.#root, this.#offset(at)).filter((each) => each.declared.has(name));
    // What lies within V8's scope and is outermost is that scope itself; V8 draws the borders of loops a little narrower.
    const owner = candidates.findLast((each) => each.start >= start && each.end <= end + 1) ?? candidates[0];
    const imported = owner === undefined ? undefined : this.#importsInto(owner, this.#offset(at)).get(name);
    return imported ?? this.#originalOf(owner?.declared.get(name)) ?? name;
  }

  /** What the function around a place was called. */
  functionName(at: Place): string | undefined {
    const scopes = scopesAt(this.#root, this.#offset(at));
    return this.#originalOf(scopes.find((each) => each.functionName !== undefined)?.functionName);
  }

  /** The expression with the names that its variables have in the compiled script. Names of the script itself stay. */
  compiled(expression: string, at: Place): string {
    const names = this.#inSight(at);
    if ([...names].every(([original, name]) => original === name)) return expression;
    const program = parseLeniently(expression);
    if (program === undefined) return expression;
    const own = lexicalScopes(program);
    const edits = freeIdentifiers(program, own).flatMap(({ node, isShorthand }) => {
      const written = textField(node, 'name') ?? '';
      const name = names.get(written) === null ? hidden(written) : names.get(written);
      if (name === undefined || name === null || name === written) return [];
      return [{ start: node.start, end: node.end, text: isShorthand ? `${written}: ${name}` : name }];
    });
    let text = expression;
    for (const edit of edits.toSorted((a, b) => b.start - a.start))
      text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
    return text;
  }

  /** What the name at an offset of the script was, when the compiler changed it. */
  originalAt(offset: number): string | undefined {
    return this.#originalOf(offset);
  }

  /** Original names to those in the script; null for a variable that an inner one of the same compiled name hides. */
  #inSight(at: Place): Map<string, string | null> {
    const names = new Map<string, string | null>();
    const taken = new Set<string>();
    const offset = this.#offset(at);
    for (const scope of scopesAt(this.#root, offset)) {
      const found = (name: string, original: string) => {
        if (!names.has(original)) names.set(original, taken.has(name) ? null : name);
      };
      const imports = this.#importsInto(scope, offset);
      const isForeign = this.#foreign(scope, offset);
      const declared = [...scope.declared].map(([name, at]) => [name, this.#originalOf(at) ?? name] as const);
      // What the file itself declared or imported comes before what other files of the bundle call by that name.
      for (const [name, original] of declared) if (!isForeign(name)) found(name, original);
      for (const [name, original] of imports) found(name, original);
      for (const [name, original] of declared) if (isForeign(name)) found(name, original);
      for (const name of scope.declared.keys()) taken.add(name);
    }
    return names;
  }

  /**
   * What the file of a place calls variables of a scope that other files declare, or members of them: an import may have another name
   * there, and some compilers make `stock_1.items` of it. Where it is used, its name stands in the source.
   */
  #importsInto(scope: LexicalScope, offset: number): ReadonlyMap<string, string> {
    const file = this.#fileOf(offset);
    const known = this.#imports.get(scope)?.get(file ?? '');
    if (known !== undefined) return known;
    const found = new Map<string, string>();
    const isForeign = this.#foreign(scope, offset);
    const visit = ({ used, inner }: LexicalScope, shadowed: ReadonlySet<string>) => {
      for (const [name, offsets] of used) {
        const [base = name, member] = name.split('.');
        if (shadowed.has(base) || !scope.declared.has(base) || (member === undefined && !isForeign(base))) continue;
        const word = this.#wordFor(offsets, base, member, file);
        if (word !== undefined) found.set(name, word);
      }
      for (const each of inner)
        visit(each, each.declared.size === 0 ? shadowed : new Set([...shadowed, ...each.declared.keys()]));
    };
    visit(scope, new Set());
    const byFile = this.#imports.get(scope) ?? new Map<string, ReadonlyMap<string, string>>();
    this.#imports.set(scope, byFile.set(file ?? '', found));
    return found;
  }

  /** What stands in a file where a variable, or a member of it, is used; nothing when the member stands there too. */
  #wordFor(offsets: readonly number[], base: string, member: string | undefined, file: string | undefined) {
    for (const offset of offsets) {
      const written = this.#writtenAt(offset);
      if (written === undefined || written.file !== file) continue;
      if (member === undefined) return written.word;
      const isSame =
        written.word === base || new RegExp(`^\\s*\\??\\.\\s*${member.replaceAll('$', '\\$')}\\b`).test(written.after);
      return isSame ? undefined : written.word;
    }
    return undefined;
  }

  /** Tells variables of a scope that another file than that of a place declares. */
  #foreign(scope: LexicalScope, offset: number): (name: string) => boolean {
    const file = this.#fileOf(offset);
    return (name) => {
      const declaredAt = scope.declared.get(name);
      return declaredAt !== undefined && this.#fileOf(declaredAt) !== file;
    };
  }

  #writtenAt(offset: number): { file: string; word: string; after: string } | undefined {
    const { line, column } = this.#index.positionAt(offset);
    const written = this.#map.wordBehind(line, column);
    if (written !== undefined) return written;
    // Without the text of the source, the map may still have the name.
    const word = this.#map.originalName(line, column);
    const file = word === undefined ? undefined : this.#fileOf(offset);
    return word === undefined || file === undefined ? undefined : { file, word, after: '' };
  }

  #fileOf(offset: number): string | undefined {
    const { line, column } = this.#index.positionAt(offset);
    return this.#map.toOriginal(line, column)?.file;
  }

  #originalOf(offset: number | undefined): string | undefined {
    if (offset === undefined) return undefined;
    const { line, column } = this.#index.positionAt(offset);
    return this.#map.originalName(line, column);
  }

  #offset({ lineNumber, columnNumber = 0 }: Place): number {
    return this.#index.offsetAt({ line: lineNumber + 1, column: columnNumber + 1 });
  }
}

function hidden(name: string): string {
  const why = `${name} cannot be read here: the compiler gave its name to another variable`;
  return `(()=>{throw new ReferenceError(${JSON.stringify(why)})})()`;
}

/** Names that an expression uses and does not declare itself. */
function freeIdentifiers(program: Node, own: LexicalScope): { node: Node; isShorthand: boolean }[] {
  const found: { node: Node; isShorthand: boolean }[] = [];
  const stack: Node[] = [program];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const isShorthand = field(node, 'shorthand') === true;
    const isComputed = field(node, 'computed') === true;
    for (const child of children(node)) {
      const isKey = nodeField(node, 'key') === child || nodeField(node, 'property') === child;
      if (isKey && !isComputed) continue;
      if (child.type !== 'Identifier') {
        stack.push(child);
        continue;
      }
      const name = textField(child, 'name') ?? '';
      const isOwn = scopesAt(own, child.start).some((scope) => scope.declared.has(name));
      const isLabel = /^(LabeledStatement|BreakStatement|ContinueStatement)$/.test(node.type);
      if (!isOwn && !isLabel && !found.some((each) => each.node.start === child.start))
        found.push({ node: child, isShorthand });
    }
  }
  return found;
}
