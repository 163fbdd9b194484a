import { comparePositions, type LineIndex, type Position } from '../../../../base/positions.ts';
import { targetAt } from '../../addressing.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { classifyReference } from '../../syntax/classify.ts';
import { identifierAt } from '../../syntax/identifiers.ts';
import { scriptRules } from '../../syntax/languages/javascript.ts';
import { tokenIndexAt, tokenize, type Token } from '../../syntax/tokens.ts';
import { askDefinition } from './definition.ts';
import { outlineOf, symbolsAround } from './outline.ts';
import { findUses } from '../../uses/findUses.ts';
import type { TypeNode, TypeSource } from './typeNode.ts';

const typeKinds = new Set(['class', 'interface', 'struct', 'enum', 'variable', 'symbol', 'type']);

/**
 * Type hierarchy from heritage clauses, for TypeScript, whose server offers none. Upwards: the names in the `extends` and
 * `implements` clauses and their definitions. Downwards: the references that stand in such a clause, and the types around them.
 */
export function heritageTypes(
  workspace: CodeWorkspace,
  server: LanguageServer,
  signal: AbortSignal | undefined,
): TypeSource {
  const nodeAt = async (path: string, position: Position): Promise<TypeNode | undefined> => {
    const symbol = await declaredAt(workspace, server, path, position, signal);
    if (symbol === undefined || !typeKinds.has(symbol.kind)) return undefined;
    return { name: symbol.name, kind: symbol.kind, path, position: symbol.nameRange.start, children: [] };
  };
  return {
    async find(target) {
      const [definition] = await askDefinition(server, 'textDocument/definition', target, signal);
      return definition === undefined
        ? nodeAt(target.path, target.position)
        : nodeAt(definition.path, definition.range.start);
    },
    async supertypes(node) {
      const text = await workspace.texts.tryGet(node.path);
      if (text === undefined) return [];
      await server.documents.open(node.path);
      const found: TypeNode[] = [];
      for (const { position, edge } of heritageClause(text, node.position)) {
        const [definition] = await askDefinition(
          server,
          'textDocument/definition',
          { path: node.path, position },
          signal,
        );
        if (definition === undefined) continue;
        const above = await nodeAt(definition.path, definition.range.start);
        if (above !== undefined) found.push({ ...above, edge });
      }
      return found;
    },
    async subtypes(node) {
      const text = await workspace.texts.tryGet(node.path);
      const name =
        text === undefined ? undefined : identifierAt(text.lineText(node.position.line) ?? '', node.position.column);
      if (name === undefined) return [];
      await server.documents.open(node.path);
      const { resolved } = await findUses(workspace, server, targetAt(node.path, node.position.line, name, []), signal);
      const found = new Map<string, TypeNode>();
      for (const location of resolved) {
        const below = await subtypeAround(workspace, server, location.path, location.range.start, signal);
        if (below !== undefined) found.set(`${below.path}:${below.position.line}:${below.position.column}`, below);
      }
      return [...found.values()];
    },
  };
}

async function subtypeAround(
  workspace: CodeWorkspace,
  server: LanguageServer,
  path: string,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<TypeNode | undefined> {
  const text = await workspace.texts.tryGet(path);
  if (text === undefined) return undefined;
  const word = heritageWord(text, position);
  if (word === undefined) return undefined;
  const around = symbolsAround(await outlineOf(server, path, signal), position);
  const symbol =
    around.findLast((candidate) => candidate.kind === 'class' || candidate.kind === 'interface') ?? around.at(-1);
  if (symbol === undefined) return undefined;
  // `extends` in the header of a function belongs to a condition.
  const hasClause = symbol.kind === 'class' || symbol.kind === 'interface';
  const clause = hasClause ? heritageClause(text, symbol.nameRange.start) : [];
  const own = clause.find((item) => comparePositions(item.position, position) === 0)?.edge;
  // An anonymous class has no name of its own from which to read its clause; the reference itself tells.
  const hints = { isType: true, isOnlyType: false };
  if (own === undefined && classifyReference(extensionOf(path), text, position, hints) !== 'inheritance')
    return undefined;
  return {
    name: symbol.name,
    kind: symbol.kind,
    path,
    position: symbol.nameRange.start,
    edge: own ?? word,
    children: [],
  };
}

/** Bases, and what is given to a mixin (`extends Mixin(Base)`), follow one of two words without a body or statement between. */
function heritageWord(text: LineIndex, position: Position): 'extends' | 'implements' | undefined {
  const offset = text.offsetAt(position);
  const before = /^(?:[\s\S]*)\b(extends|implements)\b[^;]*$/.exec(text.text.slice(Math.max(offset - 600, 0), offset));
  return before?.[1] === 'extends' || before?.[1] === 'implements' ? before[1] : undefined;
}

async function declaredAt(
  workspace: CodeWorkspace,
  server: LanguageServer,
  path: string,
  position: Position,
  signal: AbortSignal | undefined,
): Promise<OutlineSymbol | undefined> {
  if ((await workspace.texts.tryGet(path)) === undefined) return undefined;
  const around = symbolsAround(await outlineOf(server, path, signal), position);
  return around.findLast((symbol) => comparePositions(symbol.nameRange.start, position) === 0);
}

/** The names in the heritage clauses of the class or interface whose name stands at `namePosition`. */
function heritageClause(
  text: LineIndex,
  namePosition: Position,
): { position: Position; edge: 'extends' | 'implements' }[] {
  // A header is short; the text from the name on is enough and spares scanning the whole file.
  const from = text.offsetAt(namePosition);
  const tokens = tokenize(text.text.slice(from, from + 8000), scriptRules);
  const found: { position: Position; edge: 'extends' | 'implements' }[] = [];
  let edge: 'extends' | 'implements' | undefined;
  let angles = 0;
  for (let i = tokenIndexAt(tokens, 0) + 1; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) break;
    if (token.text === '<') angles++;
    else if (token.text === '>') angles--;
    else if (token.text === '>>') angles -= 2;
    if (angles > 0) continue;
    if (token.text === '{' || token.text === ';' || token.text === '=') break;
    if (token.text === 'extends' || token.text === 'implements') edge = token.text;
    else if (edge !== undefined && token.kind === 'name' && endsName(tokens, i))
      found.push({ position: text.positionAt(from + token.start), edge });
  }
  return found;
}

function endsName(tokens: readonly Token[], at: number): boolean {
  return tokens[at + 1]?.text !== '.';
}
