import type ts from 'typescript-classic';
import type { Position } from '../../../../../base/positions.ts';
import type { WordPlace } from '../../../sourceFiles.ts';
import type { RenamePlace, TypeScriptBackend } from '../servers/backend.ts';
import { compiler, parse, tokenAt } from '../syntax/compiler.ts';
import { type Mentions, remaining } from '../semantics/mentions.ts';
import { mapOffset, type FileEdits } from '../servers/trial.ts';

/** A name in a file, or a string that is nothing but the name, where a rename leaves it as it is. */
export interface Mention {
  place: RenamePlace;
  token: ts.Identifier | ts.PrivateIdentifier | ts.StringLiteralLike;
}

/** The names and strings among the mentions of a name that are not among the changed places. Comments are none. */
export function mentionsLeft(
  backend: TypeScriptBackend,
  name: string,
  changed: readonly RenamePlace[],
  old: Mentions,
): Promise<Mention[]> {
  return mentionsAt(backend, name, remaining(changed, old));
}

/** What stands at places with a name. Each file with one is parsed: of a name that is written all over a project, that takes seconds. */
export async function mentionsAt(
  backend: TypeScriptBackend,
  name: string,
  words: readonly Pick<WordPlace, 'path' | 'range'>[],
): Promise<Mention[]> {
  const tsc = compiler();
  const found: Mention[] = [];
  let source: ts.SourceFile | undefined;
  for (const { path, range } of words) {
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

/** By its line alone: the name of a member that an object is asked for. */
export function looksLikeAccess({ lineText, range }: WordPlace): boolean {
  const before = lineText.slice(0, range.start.column - 1);
  return /[\w$)\]!?]\.\s*#?$/.test(before) && !/^\s*(?:\*|\/\/|\/\*)/.test(before);
}

/** By its line alone: a string that is nothing but the name. */
export function looksQuoted({ lineText, range }: WordPlace): boolean {
  const [before, after] = [lineText.charAt(range.start.column - 2), lineText.charAt(range.end.column - 1)];
  return before !== '' && before === after && /['"`]/.test(before);
}

/** Where the offsets of a file are once the edits of a rename are made, by which what a trial brings up is told. */
export async function positionsAfter(
  backend: TypeScriptBackend,
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
