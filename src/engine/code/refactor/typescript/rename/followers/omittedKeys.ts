import type ts from 'typescript-classic';
import type { LineIndex, Position } from '../../../../../../base/positions.ts';
import { applyTextEdits } from '../../../../../workspace/edits/text/textEdits.ts';
import { compiler } from '../../syntax/compiler.ts';
import type { Change } from '../../syntax/textChange.ts';
import { checkerMessages } from '../checkerMessages.ts';
import { positionsAfter, type Mention } from '../mentionNotes.ts';
import type { RenameRound, Tried } from '../state.ts';

interface Omitting {
  mention: Mention;
  keys: ts.TypeNode;
}

/**
 * `Omit<Shape, 'name'>` and `Exclude<keyof Shape, 'name'>` take any string. Read as `Pick`, the checker says whether the type has the
 * member, and whether it has it no more.
 */
export async function omittedKeys(round: RenameRound & Tried, strings: readonly Mention[]): Promise<Mention[]> {
  const { backend, edits } = round;
  const omitting = strings.flatMap((mention): Omitting[] => {
    const keys = omittedBy(mention.token);
    return keys === undefined ? [] : [{ mention, keys }];
  });
  if (omitting.length === 0) return [];
  const after = await refusedAsPick(round, omitting, true);
  const before = after.size === 0 ? after : await refusedAsPick(round, omitting, false);
  const found: Mention[] = [];
  for (const { mention, keys } of omitting) {
    const { path } = mention.place;
    const text = await backend.text(path);
    const then = await positionsAfter(backend, edits, path);
    const isIn = (known: ReadonlySet<string>, at: (offset: number) => Position): boolean =>
      [keys, mention.token].some((node) => {
        const { line, column } = at(node.getStart());
        return known.has(`${path}:${line}:${column}`);
      });
    if (isIn(after, then) && !isIn(before, (offset) => text.positionAt(offset))) found.push(mention);
  }
  return found;
}

/** Where the checker does not take the old name for a key of the type, before or after the rename. */
async function refusedAsPick(
  { backend, target, newName, edits, waiting }: RenameRound & Tried,
  omitting: readonly Omitting[],
  isAfter: boolean,
): Promise<Set<string>> {
  const paths = [...new Set(omitting.map(({ mention }) => mention.place.path))];
  const contents = new Map<string, string>();
  for (const path of isAfter ? [...edits.keys(), ...paths] : paths) {
    const text = await backend.text(path);
    const picked = omitting
      .filter(({ mention }) => mention.place.path === path)
      .flatMap(({ keys }) => asPick(keys))
      .map((one) => ({ range: rangeOf(one, text), newText: one.text }));
    contents.set(path, applyTextEdits(text.text, [...(isAfter ? (edits.get(path) ?? []) : []), ...picked], path));
  }
  const problems = await backend.overlaid(contents, () => backend.problems(paths, waiting));
  const says = checkerMessages(target.name, newName);
  return new Set(
    problems.filter(({ message }) => says.isRefusedKey(message)).map((one) => `${one.file}:${one.line}:${one.column}`),
  );
}

function rangeOf({ start, end }: Change, text: LineIndex): { start: Position; end: Position } {
  return { start: text.positionAt(start), end: text.positionAt(end) };
}

/** The keys among which a string stands that a type is to be without. */
function omittedBy(token: ts.Node): ts.TypeNode | undefined {
  const tsc = compiler();
  const omitting = tsc.findAncestor(token, tsc.isTypeReferenceNode);
  const [from, keys] = omitting?.typeArguments ?? [];
  if (omitting === undefined || from === undefined || keys === undefined || token.pos < keys.pos) return undefined;
  const takers = isOfKeys(from) ? ['Exclude', 'Extract'] : ['Omit', 'Pick'];
  return takers.includes(omitting.typeName.getText()) ? keys : undefined;
}

function isOfKeys(type: ts.TypeNode): type is ts.TypeOperatorNode {
  const tsc = compiler();
  return tsc.isTypeOperatorNode(type) && type.operator === tsc.SyntaxKind.KeyOfKeyword;
}

/** What makes a `Pick` of the type around keys, with everything else at its place. */
function asPick(keys: ts.TypeNode): Change[] {
  const { parent } = keys;
  if (!compiler().isTypeReferenceNode(parent)) return [];
  const [start, end] = [parent.typeName.getStart(), parent.typeName.getEnd()];
  const [from] = parent.typeArguments ?? [];
  const name = { start, end, text: 'Pick'.padEnd(end - start) };
  if (from === undefined || !isOfKeys(from)) return [name];
  const at = from.getStart();
  return [name, { start: at, end: from.type.getStart(), text: ' '.repeat(from.type.getStart() - at) }];
}
