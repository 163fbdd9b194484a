import type { Node, QueryCapture } from 'web-tree-sitter';
import type { LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';

/** What one reading of a file's syntax tree tells: what it declares, and where there is no code. */
export interface SyntaxFacts {
  outline: OutlineSymbol[];
  /** Offsets of comments and literals, each as start and end, in order and not overlapping. */
  text: readonly number[];
  imports: readonly number[];
}

/** The names of captures that are no kinds of symbols. */
export const textCapture = 'text';
export const codeCapture = 'code';
export const importCapture = 'import';

/** Makes facts of what a language's query found, in the order of the text. */
export function factsOf(captures: readonly QueryCapture[], source: LineIndex): SyntaxFacts {
  const outline: OutlineSymbol[] = [];
  const open: { symbol: OutlineSymbol; end: number }[] = [];
  const literals: { start: number; end: number; isText: boolean }[] = [];
  const imports: number[] = [];
  const seen = new Set<string>();
  for (const { name: capture, node } of captures) {
    if (capture === '_') continue;
    if (capture === importCapture) imports.push(node.startIndex, node.endIndex);
    else if (capture === textCapture || capture === codeCapture)
      literals.push({ start: node.startIndex, end: node.endIndex, isText: capture === textCapture });
    if (capture === textCapture || capture === codeCapture || capture === importCapture) continue;
    while ((open.at(-1)?.end ?? Infinity) <= node.startIndex) open.pop();
    const parent = open.at(-1)?.symbol;
    // Two patterns may match one declaration; the first one is the more exact.
    const symbols = symbolsOf(node, capture.replace('_', ' '), parent, source).filter((symbol) => {
      const key = `${symbol.nameRange.start.line}:${symbol.nameRange.start.column}`;
      return !seen.has(key) && seen.add(key);
    });
    (parent?.children ?? outline).push(...symbols);
    const [first] = symbols;
    if (first !== undefined) open.push({ symbol: first, end: node.endIndex });
  }
  return { outline, text: textRanges(literals), imports };
}

/** Whether an offset lies in one of the ranges (starts and ends in turn). */
export function isWithin(ranges: readonly number[], offset: number): boolean {
  return rangeAround(ranges, offset) !== undefined;
}

export function rangeAround(ranges: readonly number[], offset: number): { start: number; end: number } | undefined {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle * 2 + 1] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const [start = Infinity, end = Infinity] = ranges.slice(low * 2, low * 2 + 2);
  return start <= offset ? { start, end } : undefined;
}

/** Literals without the code that is interpolated into them. */
function textRanges(literals: readonly { start: number; end: number; isText: boolean }[]): number[] {
  const ranges: number[] = [];
  const open: { end: number; isText: boolean }[] = [];
  let from = 0;
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top !== undefined && top.end <= offset; top = open.at(-1)) {
      open.pop();
      if (top.isText && top.end > from) ranges.push(from, top.end);
      from = top.end;
    }
  };
  for (const literal of literals) {
    closeUntil(literal.start);
    if (open.at(-1)?.isText === true && literal.start > from) ranges.push(from, literal.start);
    open.push(literal);
    from = literal.start;
  }
  closeUntil(Infinity);
  return ranges;
}

const typeKinds = new Set(['class', 'struct', 'interface', 'trait', 'implementation', 'enum', 'object', 'record']);
const bodyKinds = new Set(['function', 'method', 'constructor', 'macro']);
const valueKinds = new Set(['variable', 'constant', 'field', 'property']);

function symbolsOf(
  node: Node,
  capture: string,
  parent: OutlineSymbol | undefined,
  source: LineIndex,
): readonly OutlineSymbol[] {
  // Locals are no part of an outline.
  if (parent !== undefined && bodyKinds.has(parent.kind) && valueKinds.has(capture)) return [];
  // Some grammars let a node reach to the start of the next one.
  const ending = node.startIndex + source.text.slice(node.startIndex, node.endIndex).trimEnd().length;
  return namesOf(node).flatMap(({ node: named, declarator }): OutlineSymbol[] => {
    const { name, container, start, end } = lastName(named);
    if (name === '') return [];
    return [
      {
        name,
        kind: kindOf(node, capture, declarator, parent),
        range: { start: source.positionAt(node.startIndex), end: source.positionAt(ending) },
        nameRange: { start: source.positionAt(start), end: source.positionAt(end) },
        container,
        children: [],
      },
    ];
  });
}

function kindOf(node: Node, capture: string, declarator: Node | undefined, parent: OutlineSymbol | undefined): string {
  const inType = parent !== undefined && typeKinds.has(parent.kind);
  // In C a prototype and a variable are both a "declaration", told apart by their declarators.
  const isFunction =
    capture === 'function' ||
    ((capture === 'variable' || capture === 'field') && declarator !== undefined && hasDescendant(declarator));
  if (isFunction) return inType || named(declarator)?.type === 'qualified_identifier' ? 'method' : 'function';
  if (node.type === 'class_declaration' && capture === 'class') {
    const words = node.text.slice(0, 200).split('{', 1)[0] ?? '';
    if (node.childForFieldName('name') !== null && /\binterface\s/.test(words)) return 'interface';
    if (/\benum\s+class\b/.test(words)) return 'enum';
  }
  if (capture === 'property' && parent === undefined) return 'variable';
  return capture === 'variable' && inType ? 'field' : capture;
}

function hasDescendant(declarator: Node): boolean {
  for (let at: Node | null = declarator; at !== null; at = at.childForFieldName('declarator')) {
    if (at.type === 'function_declarator')
      return at.childForFieldName('declarator')?.type !== 'parenthesized_declarator';
  }
  return false;
}

/** The nodes that hold the names a declaration declares: `const A, B = 1, 2` declares two. */
function namesOf(node: Node): { node: Node; declarator?: Node }[] {
  const special = specialName(node);
  if (special !== undefined) return special === null ? [] : [{ node: special }];
  const names = node.childrenForFieldName('name');
  if (names.length > 0) return names.flatMap((name) => (name.isNamed ? [{ node: name }] : []));
  const declarators = node.childrenForFieldName('declarator');
  if (declarators.length > 0)
    return declarators.flatMap((declarator) => {
      const found = named(declarator);
      return found === undefined ? [] : [{ node: found, declarator }];
    });
  if (/^(field_declaration|declaration|type_definition)$/.test(node.type) && node.childForFieldName('type') !== null)
    return [];
  const field = ['pattern', 'left', 'type', 'key'].map((key) => node.childForFieldName(key)).find((it) => it !== null);
  const found =
    field ??
    node.namedChildren.find((child) => /identifier$|^name$|_name$|key$|^variable_declaration$/.test(child.type));
  return found === undefined ? [] : [{ node: found }];
}

/** Undefined: nothing special; null: it declares nothing. */
function specialName(node: Node): Node | null | undefined {
  switch (node.type) {
    case 'rule_set':
      return node.namedChildren.find((child) => child.type === 'selectors') ?? null;
    case 'media_statement':
    case 'supports_statement':
      return node.namedChildren[0] ?? null;
    case 'simple_symbol':
      return node;
    case 'element':
    case 'script_element':
    case 'style_element':
      return htmlName(node);
    case 'assignment_statement':
      return node.namedChildren[0]?.childForFieldName('name') ?? null;
    case 'identifier':
      return node;
    case 'call':
      return elixirName(node);
    case 'impl_item': {
      const type = node.childForFieldName('type');
      return type?.childForFieldName('type') ?? type;
    }
    case 'at_rule':
    case 'secondary_constructor':
      return node.child(0);
    case 'companion_object':
      return node.childForFieldName('name') ?? node.child(0);
    case 'property_declaration': {
      const variable = node.namedChildren.find((child) => child.type === 'variable_declaration');
      return variable?.namedChildren[0];
    }
    default:
      return undefined;
  }
}

function htmlName(node: Node): Node | null {
  const tag = node.namedChildren[0];
  const id = tag?.namedChildren.find((child) => child.type === 'attribute' && /^id\b/i.test(child.text));
  const value = id?.namedChildren[1];
  const named = value?.namedChildren[0] ?? value;
  if (named !== undefined) return named;
  const name = tag?.namedChildren[0] ?? null;
  // A heading is what it says.
  const title = /^h[1-6]$/i.test(name?.text ?? '') ? node.namedChildren.find(({ type }) => type === 'text') : undefined;
  return title ?? name;
}

/** `def foo(a) when a > 1`: the target of the call that is the first argument, whatever follows it. */
function elixirName(node: Node): Node | null {
  let at = node.namedChildren.find((child) => child.type === 'arguments')?.namedChildren[0];
  while (at !== undefined && (at.type === 'binary_operator' || at.type === 'call'))
    at = at.childForFieldName(at.type === 'call' ? 'target' : 'left') ?? undefined;
  return at ?? null;
}

/** The name inside a C declarator, below pointers, arrays and parameters. */
function named(declarator: Node | undefined): Node | undefined {
  let at: Node | null | undefined = declarator;
  while (at !== null && at !== undefined) {
    if (/identifier$|^destructor_name$|^operator_name$|^operator_cast$/.test(at.type)) return at;
    if (at.type === 'variable_declarator') return at.childForFieldName('name') ?? undefined;
    at =
      at.childForFieldName('declarator') ?? at.namedChildren.find((child) => /declarator|identifier/.test(child.type));
  }
  return undefined;
}

/** `ns::K::m`, `M.foo`: the last part is the name, the others its container. A Go method belongs to its receiver's type. */
function lastName(node: Node): { name: string; container?: string; start: number; end: number } {
  const text = node.text.replace(/\s+/g, ' ').trim().slice(0, 120);
  const receiver = node.parent?.type === 'method_declaration' ? node.parent.childForFieldName('receiver') : null;
  const owner =
    receiver === null ? undefined : /([\p{L}_][\p{L}\d_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(receiver.text)?.[1];
  if (owner !== undefined) return { name: text, container: owner, start: node.startIndex, end: node.endIndex };
  if (/^(qualified_identifier|dot_index_expression|method_index_expression)$/.test(node.type)) {
    const parts = text.split(/::|[.:]/);
    const name = parts.at(-1) ?? text;
    const container = parts.slice(0, -1).join('/');
    return { name, container, start: node.endIndex - name.length, end: node.endIndex };
  }
  const bare = node.type === 'simple_symbol' ? text.slice(1) : text.replace(/^(["'])(.*)\1$/s, '$2');
  const start = node.startIndex + Math.max(text.indexOf(bare), 0);
  return { name: bare, start, end: Math.min(start + bare.length, node.endIndex) };
}
