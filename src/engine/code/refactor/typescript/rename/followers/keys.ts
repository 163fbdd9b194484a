import type ts from 'typescript-classic';
import { counted } from '../../../../../../base/text/counted.ts';
import type { RenameBackend } from '../../servers/backend.ts';
import type { FileEdits } from '../../servers/trial.ts';
import { compiler } from '../../syntax/compiler.ts';
import { checkerMessages } from '../checkerMessages.ts';
import { looksQuoted, mentionsAt, positionsAfter, type Mention } from '../mentionNotes.ts';
import type { RenameWidener } from '../state.ts';
import { omittedKeys } from './omittedKeys.ts';

/**
 * Strings that name a renamed member where a key of its type is asked for: the checker does not take the old name there any more, or,
 * in `Omit` and its like, takes it for nothing.
 */
export const keys: RenameWidener = {
  name: 'keys of its type',
  appliesTo: ({ left }) => left.some(looksQuoted),
  async follow(round) {
    const { backend, target, newName, edits, left, trial } = round;
    const quoted = await mentionsAt(backend, target.name, left.filter(looksQuoted));
    const strings = quoted.filter(({ token }) => compiler().isStringLiteralLike(token));
    const says = checkerMessages(target.name, newName);
    const found = new Set<Mention>();
    for (const { message, file, line, column } of trial.conflicts ?? []) {
      if (!says.isRefusedKey(message)) continue;
      const there = strings.filter(({ place }) => place.path === file && place.range.start.line === line);
      const distances = await Promise.all(there.map((one) => distanceTo(backend, one, edits, column ?? 0)));
      const least = Math.min(...distances);
      const nearest = there.filter((_, index) => distances[index] === least);
      const [only] = nearest;
      // The checker points at the string, or at the beginning of what it is the value of.
      if (only !== undefined && nearest.length === 1 && (there.length === 1 || least < Infinity)) found.add(only);
    }
    for (const one of await omittedKeys(round, strings)) found.add(one);
    if (found.size === 0) return {};
    return {
      extra: [...found].map(({ place }) => place),
      notes: [`Renamed with it: ${counted(found.size, 'string')} in which it is a key of its type`],
    };
  },
};

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
