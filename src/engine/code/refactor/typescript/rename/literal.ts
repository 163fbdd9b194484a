import type ts from 'typescript-classic';
import { counted } from '../../../../../base/text/counted.ts';
import { isInside } from '../../../../../base/paths.ts';
import type { Position } from '../../../../../base/positions.ts';
import {
  proposal,
  sameTextFor,
  type Conflict,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../../model.ts';
import { listSourceFiles } from '../../../sourceFiles.ts';
import { placeKey, type RenameBackend, type RenamePlace } from '../servers/backend.ts';
import { compiler, invalidName, sourceExtensions } from '../syntax/compiler.ts';
import { survey } from '../semantics/mentions.ts';
import { mentionsLeft, positionsAfter, type Mention } from './mentionNotes.ts';
import { boundPlaces, strangersAmong } from './trial.ts';
import {
  addEdit,
  editedTexts,
  editOperations,
  mapOffset,
  tryContents,
  type FileEdits,
  type Trial,
} from '../servers/trial.ts';
import { because, refuse } from '../../refusals/refuse.ts';

const maxRounds = 6;
const maxAsked = 48;

/**
 * Renames one of the strings that a type allows: `'circle'` in `'circle' | 'square'`. The server finds those of the very same type;
 * where the checker then misses the new text in a string or a key that still has the old one, that one follows. Equal strings that
 * no type ties to it may or may not mean it, so they are a conflict.
 */
export async function renameLiteral(
  backend: RenameBackend,
  target: RefactorTarget,
  newText: string,
  found: readonly RenamePlace[],
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const oldText = target.name;
  const outside = found.find(({ path }) => !isInside(backend.project.root, path) || path.includes('/node_modules/'));
  if (outside !== undefined) throw refuse('standsOutside', { text: oldText, path: outside.path });
  const around = await survey(
    backend.project,
    { oldName: oldText, newName: newText, modulePath: target.path },
    waiting,
  );
  const mentions = (await mentionsLeft(backend, oldText, [], around.old)).filter(({ token }) => isStringOrKey(token));
  const changed = new Map(found.map((place) => [placeKey(place), place]));
  const isWritten = (place: RenamePlace): boolean => changed.has(placeKey(place));
  const dependents = [...new Set([...around.old.files, ...around.fresh.files])];
  const further = await listSourceFiles(backend.project, sourceExtensions, waiting.signal);
  for (let round = 0; ; round++) {
    const edits: FileEdits = new Map();
    for (const { path, range, prefix, suffix } of changed.values())
      addEdit(edits, path, range, prefix + newText + suffix);
    await backend.open([...edits.keys()]);
    const texts = await editedTexts(backend, edits);
    const trial = await tryContents(
      backend,
      texts,
      dependents.filter((file) => !edits.has(file)),
      waiting,
      {
        sameText: sameTextFor({ from: oldText, to: newText }),
        further,
      },
    );
    const missed: Mention[] = [];
    for (const one of mentions.filter(({ place }) => !isWritten(place))) {
      const after = await positionsAfter(backend, edits, one.place.path);
      if (trial.conflicts.some((conflict) => isAbout(conflict, one, after))) missed.push(one);
    }
    if (missed.length > 0 && round < maxRounds) {
      for (const one of missed) changed.set(placeKey(one.place), asKey(one, newText));
      continue;
    }
    const taken =
      trial.conflicts.length > 0
        ? []
        : await alreadyThere(backend, target, newText, changed, { edits, texts }, waiting);
    const loose = await untied(
      backend,
      mentions.filter(({ place }) => !isWritten(place)),
      newText,
      waiting,
    );
    return result(backend, {
      oldText,
      newText,
      changed: [...changed.values()],
      edits,
      trial,
      conflicts: [...taken, ...loose],
    });
  }
}

interface Result {
  oldText: string;
  newText: string;
  changed: readonly RenamePlace[];
  edits: FileEdits;
  trial: Trial;
  conflicts: readonly Conflict[];
}

function result(backend: RenameBackend, { oldText, newText, changed, edits, trial, conflicts }: Result): Proposal {
  return proposal(
    `rename "${oldText}" to "${newText}": ${counted(changed.length, 'place')} in ${counted(edits.size, 'file')}`,
    editOperations(backend, edits),
    {
      ...trial,
      conflicts: [...trial.conflicts, ...conflicts],
      seen: backend.seen,
      renamed: { from: oldText, to: newText },
      notes: [...trial.notes, 'A text that the program shows, stores or exchanges is another one now.'],
    },
  );
}

/** Whether it is a string other than the name of a module, or the name of a member. */
function isStringOrKey(token: Mention['token']): boolean {
  const tsc = compiler();
  const { parent } = token;
  return tsc.isStringLiteralLike(token)
    ? !tsc.isImportDeclaration(parent) && !tsc.isExportDeclaration(parent)
    : (tsc.isPropertyAssignment(parent) || tsc.isPropertyAccessExpression(parent)) && parent.name === token;
}

/** A key that is no name any more needs quotes, and a member that is asked for by it brackets. */
function asKey({ place, token }: Mention, newText: string): RenamePlace {
  if (compiler().isStringLiteralLike(token) || invalidName(newText) === undefined) return place;
  const { parent } = token;
  if (!compiler().isPropertyAccessExpression(parent)) return { ...place, prefix: "'", suffix: "'" };
  const { start, end } = place.range;
  const dotLength =
    parent.questionDotToken === undefined && parent.name.getStart() === parent.expression.getEnd() + 1 ? 1 : 0;
  const range = { start: { line: start.line, column: start.column - dotLength }, end };
  return { ...place, range, prefix: "['", suffix: "']" };
}

/** Whether an error stands where a string or a key is, or where the expression or declaration begins that it belongs to. */
function isAbout(
  { file, line: at = 0, column, message }: Conflict,
  { place, token }: Mention,
  positionAfter: (offset: number) => Position,
): boolean {
  const tsc = compiler();
  if (file !== place.path) return false;
  const source = token.getSourceFile();
  for (let node: ts.Node | undefined = token; node !== undefined && !tsc.isBlock(node); node = node.parent) {
    const start = positionAfter(node.getStart(source));
    if (start.line === at && start.column === column) return true;
    if (!tsc.isStringLiteralLike(token) || tsc.isStatement(node) || tsc.isFunctionLike(node)) break;
  }
  // What a function says that it takes and gives shows where its values are used.
  const holder = tsc.isLiteralTypeNode(token.parent) ? tsc.findAncestor(token, tsc.isFunctionLike) : undefined;
  return (
    holder !== undefined &&
    message.includes(`"${token.getText(source).slice(1, -1)}"`) &&
    positionAfter(holder.getStart(source)).line <= at &&
    at <= positionAfter(holder.getEnd()).line
  );
}

/** With the edits laid over the files, the type may not have had the new text before. */
async function alreadyThere(
  backend: RenameBackend,
  target: RefactorTarget,
  newText: string,
  changed: ReadonlyMap<string, RenamePlace>,
  { edits, texts }: { edits: FileEdits; texts: ReadonlyMap<string, string> },
  waiting: RefactorWaiting,
): Promise<Conflict[]> {
  const expected = new Set<string>();
  let first: { path: string; offset: number } | undefined;
  for (const place of changed.values()) {
    const before = await backend.text(place.path);
    const offset =
      mapOffset(before, edits.get(place.path) ?? [], before.offsetAt(place.range.start)) + place.prefix.length;
    expected.add(`${place.path}:${offset}`);
    const { line, column } = place.range.start;
    const isTarget = place.path === target.path && line === target.position.line && column === target.position.column;
    if (isTarget) first = { path: place.path, offset };
  }
  if (first === undefined) return [];
  const asked = first;
  const found = await backend.overlaid(texts, () =>
    boundPlaces(backend, asked, new Set(), texts, { from: newText, to: target.name }, waiting),
  );
  return strangersAmong(found, expected, texts, newText);
}

/** Strings that the server cannot tell the meaning of. */
async function untied(
  backend: RenameBackend,
  left: readonly Mention[],
  newText: string,
  waiting: RefactorWaiting,
): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const { place } of left.filter(({ token }) => compiler().isStringLiteralLike(token)).slice(0, maxAsked)) {
    const answer = await backend.renamePlaces(place.path, place.range.start, newText, waiting);
    if (!('refused' in answer)) continue;
    const { line, column } = place.range.start;
    const message = because('equalStringUntied');
    conflicts.push({ kind: 'meaning', message, file: place.path, line, column });
  }
  return conflicts;
}
