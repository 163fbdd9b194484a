import type ts from 'typescript-classic';
import type { Position, Range } from '../../../../../base/positions.ts';
import { applyTextEdits } from '../../../../workspace/edits/text/textEdits.ts';
import type { Conflict, RefactorWaiting } from '../../model.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { compiler } from '../syntax/compiler.ts';
import type { Change } from '../syntax/textChange.ts';
import { positionsAfter, type Mention } from './mentionNotes.ts';
import type { FileEdits } from '../servers/trial.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

/**
 * Strings that name a renamed member where a key of its type is asked for: the checker does not take the old name there any more, or,
 * in `Omit` and its like, takes it for nothing.
 */
export async function keysMissed(
  backend: RenameBackend,
  name: string,
  conflicts: readonly Conflict[],
  edits: FileEdits,
  left: readonly Mention[],
  waiting: RefactorWaiting,
): Promise<RenamePlace[]> {
  const strings = left.filter(({ token }) => compiler().isStringLiteralLike(token));
  const written = escapeRegExp(name);
  const refusal = new RegExp(
    `[Tt]ype '"${written}"' (?:is not assignable to (?:parameter of )?type|does not satisfy the constraint) '`,
  );
  const found = new Set<Mention>();
  for (const { message, file, line, column } of conflicts) {
    if (!refusal.test(message)) continue;
    const there = strings.filter(({ place }) => place.path === file && place.range.start.line === line);
    const distances = await Promise.all(there.map((one) => distanceTo(backend, one, edits, column ?? 0)));
    const least = Math.min(...distances);
    const nearest = there.filter((_, index) => distances[index] === least);
    const [only] = nearest;
    // The checker points at the string, or at the beginning of what it is the value of.
    if (only !== undefined && nearest.length === 1 && (there.length === 1 || least < Infinity)) found.add(only);
  }
  for (const one of await omittedKeys(backend, strings, edits, refusal, waiting)) found.add(one);
  return [...found].map(({ place }) => place);
}

/** How many steps outwards from a string something begins at a column of its line, as that will be. */
async function distanceTo(
  backend: RenameBackend,
  { place: { path, range }, token }: Mention,
  edits: FileEdits,
  column: number,
): Promise<number> {
  const after = await positionsAfter(backend, edits, path);
  let steps = 0;
  for (let node: ts.Node = token; !compiler().isSourceFile(node); node = node.parent, steps++) {
    const start = after(node.getStart());
    if (start.line === range.start.line && start.column === column) return steps;
  }
  return Infinity;
}

/**
 * `Omit<Shape, 'name'>` and `Exclude<keyof Shape, 'name'>` take any string. Read as `Pick`, the checker says whether the type has the
 * member, and whether it has it no more.
 */
async function omittedKeys(
  backend: RenameBackend,
  strings: readonly Mention[],
  edits: FileEdits,
  refusal: RegExp,
  waiting: RefactorWaiting,
): Promise<Mention[]> {
  const omitting = strings.flatMap((mention) => {
    const keys = omittedBy(mention.token);
    return keys === undefined ? [] : [{ mention, keys }];
  });
  if (omitting.length === 0) return [];
  const paths = [...new Set(omitting.map(({ mention }) => mention.place.path))];
  const refused = async (isAfter: boolean): Promise<Set<string>> => {
    const contents = new Map<string, string>();
    for (const path of isAfter ? [...edits.keys(), ...paths] : paths) {
      const text = await backend.text(path);
      const picking = omitting.filter(({ mention }) => mention.place.path === path).flatMap(({ keys }) => asPick(keys));
      const rangeOf = ({ start, end }: Change): Range => ({
        start: text.positionAt(start),
        end: text.positionAt(end),
      });
      const picked = picking.map((one) => ({ range: rangeOf(one), newText: one.text }));
      contents.set(path, applyTextEdits(text.text, [...(isAfter ? (edits.get(path) ?? []) : []), ...picked], path));
    }
    const problems = await backend.overlaid(contents, () => backend.problems(paths, waiting));
    return new Set(
      problems.filter(({ message }) => refusal.test(message)).map((one) => `${one.file}:${one.line}:${one.column}`),
    );
  };
  const after = await refused(true);
  const before = after.size === 0 ? after : await refused(false);
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
