import type { Node } from 'acorn';
import { LineIndex } from '../../../../base/positions.ts';
import { type LexicalScope, lexicalScopes, scopesAt } from './lexicalScopes.ts';
import type { ScriptMap } from '../../../../base/sourceMaps.ts';
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

  /** Undefined when the map kept no names, or the script is too large or not to be parsed. */
  static of(source: string, map: ScriptMap): OriginalNames | undefined {
    const program = map.hasNames && source.length <= maxParsedChars ? parseLeniently(source) : undefined;
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
    return this.#originalOf(owner?.declared.get(name)) ?? name;
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
    const scopes = scopesAt(this.#root, this.#offset(at));
    for (const { declared } of scopes) {
      for (const [name, offset] of declared) {
        const original = this.#originalOf(offset) ?? name;
        if (!names.has(original)) names.set(original, taken.has(name) ? null : name);
      }
      for (const name of declared.keys()) taken.add(name);
    }
    // What was imported under another name is declared elsewhere; only where it is used does the map have that name.
    for (const [name, offset] of scopes.flatMap((scope) => [...scope.used])) {
      const original = this.#originalOf(offset);
      if (original !== undefined && !names.has(original)) names.set(original, name);
    }
    return names;
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
