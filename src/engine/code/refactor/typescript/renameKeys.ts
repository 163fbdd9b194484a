import type ts from 'typescript-classic';
import type { Conflict, RefactorWaiting } from '../model.ts';
import type { RenameBackend, RenamePlace } from './backend.ts';
import { compiler, parse, tokenAt } from './compiler.ts';
import { positionsAfter, type Mention } from './renameMentions.ts';
import type { FileEdits } from './trial.ts';

/**
 * Strings that name a renamed member where a key of its type is asked for: the checker does not take the old name there any more, or,
 * in `Omit` and its like, takes it for nothing.
 */
export async function keysMissed(
  backend: RenameBackend,
  name: string,
  conflicts: readonly Conflict[],
  { changed, edits }: { changed: readonly RenamePlace[]; edits: FileEdits },
  left: readonly Mention[],
  waiting: RefactorWaiting,
): Promise<RenamePlace[]> {
  const strings = left.filter(({ token }) => compiler().isStringLiteralLike(token));
  const written = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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
  for (const one of strings) if (await isOmitted(backend, one, changed, waiting)) found.add(one);
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

/** `Omit<Shape, 'name'>`, `Pick` or `Exclude<keyof Shape, 'name'>` of a type that declares the renamed member itself. */
async function isOmitted(
  backend: RenameBackend,
  { place: { path }, token }: Mention,
  changed: readonly RenamePlace[],
  waiting: RefactorWaiting,
): Promise<boolean> {
  const tsc = compiler();
  const omitting = tsc.findAncestor(token, tsc.isTypeReferenceNode);
  const [from, keys] = omitting?.typeArguments ?? [];
  if (omitting === undefined || from === undefined || keys === undefined || token.pos < keys.pos) return false;
  const isOfKeys = tsc.isTypeOperatorNode(from) && from.operator === tsc.SyntaxKind.KeyOfKeyword;
  const of = isOfKeys ? from.type : from;
  const takers = isOfKeys ? ['Exclude', 'Extract'] : ['Omit', 'Pick'];
  if (!takers.includes(omitting.typeName.getText()) || !tsc.isTypeReferenceNode(of)) return false;
  const here = await backend.text(path);
  for (const definition of await backend.definitions(path, here.positionAt(of.typeName.getStart()), waiting)) {
    const text = await backend.text(definition.path);
    const declared = tokenAt(parse(definition.path, text.text), text.offsetAt(definition.range.start)).parent;
    const holds = changed.some(({ path: at, range }) => {
      const offset = text.offsetAt(range.start);
      return at === definition.path && declared.getStart() <= offset && offset < declared.getEnd();
    });
    if (holds) return true;
  }
  return false;
}
