import type ts from 'typescript-classic';
import type { Position } from '../../../../../base/positions.ts';
import type { RenameBackend, RenamePlace } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { type Mentions, remaining } from '../semantics/mentions.ts';
import { mapOffset, type FileEdits } from '../servers/trial.ts';

/** A name in a file, or a string that is nothing but the name, where a rename leaves it as it is. */
export interface Mention {
  place: RenamePlace;
  token: ts.Identifier | ts.PrivateIdentifier | ts.StringLiteralLike;
}

/** The names and strings among the mentions of a name that are not among the changed places. Comments are none. */
export async function mentionsLeft(
  backend: RenameBackend,
  name: string,
  changed: readonly RenamePlace[],
  old: Mentions,
): Promise<Mention[]> {
  const tsc = compiler();
  const found: Mention[] = [];
  let source: ts.SourceFile | undefined;
  for (const { path, range } of remaining(changed, old)) {
    const text = await backend.text(path);
    if (source?.fileName !== path) source = parse(path, text.text);
    const offset = text.offsetAt(range.start);
    const token = tokenAt(source, offset);
    const start = token.getStart(source);
    const isName = (tsc.isIdentifier(token) || tsc.isPrivateIdentifier(token)) && start === offset;
    const isString = tsc.isStringLiteralLike(token) && token.text === name && start === offset - 1;
    if (isName || isString) found.push({ place: { path, range, prefix: '', suffix: '' }, token });
  }
  return found;
}

/** Where the offsets of a file are once the edits of a rename are made, by which what a trial brings up is told. */
export async function positionsAfter(
  backend: RenameBackend,
  edits: FileEdits,
  path: string,
): Promise<(offset: number) => Position> {
  const text = await backend.text(path);
  const list = edits.get(path) ?? [];
  // The new names have no line ends in them.
  return (offset) => {
    const { line } = text.positionAt(offset);
    const lineStart = mapOffset(text, list, text.offsetAt({ line, column: 1 }));
    return { line, column: mapOffset(text, list, offset) - lineStart + 1 };
  };
}
