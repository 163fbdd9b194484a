import { setImmediate as nextTurn } from 'node:timers/promises';
import type ts from 'typescript-classic';
import { advise, parameter } from '../../../../../base/text/advice.ts';
import { ToolError } from '../../../../../base/errors.ts';
import { counted } from '../../../../../base/text/counted.ts';
import { displayPath, isInside } from '../../../../../base/paths.ts';
import type { Range } from '../../../../../base/positions.ts';
import { proposal, type Conflict, type Proposal, type RefactorTarget, type RefactorWaiting } from '../../model.ts';
import { listSourceFiles } from '../../../sourceFiles.ts';
import { askedByName } from './dynamicMemberAccess.ts';
import { placeKey, type RenameBackend, type RenamePlace } from '../servers/backend.ts';
import { checkDeclarations, usesOfBuilt, type BuiltUse } from '../imports/builtFiles.ts';
import { importersOf } from '../imports/importers.ts';
import { isJavaScript } from '../servers/classicRename.ts';
import { followCommonJs } from './commonJs.ts';
import { compiler, invalidName, isReserved, parse, sourceExtensions, tokenAt } from '../syntax/compiler.ts';
import { documentedParameters } from './documentedParameters.ts';
import { moduleNamed } from '../imports/exactPaths.ts';
import { hiddenMeanings } from '../semantics/protocolMembers.ts';
import { isLocalDeclaration } from '../syntax/locality.ts';
import { survey, surveyWithin, type Survey, remaining } from '../semantics/mentions.ts';
import { moduleAsObject } from './moduleObject.ts';
import { keysMissed } from './keys.ts';
import { mentionsLeft, type Mention } from './mentionNotes.ts';
import { missedAsRequired } from './optional.ts';
import { placesOf } from './places.ts';
import { leftBehind, textPlaces } from './inText.ts';
import { renameLiteral } from './literal.ts';
import { declaresMember, namesakesMissed, untypedUses } from './members.ts';
import { isPlainlyExported, whyUnproven, type RenameClaim } from './proof.ts';
import { tryRename, type RenameTrial } from './trial.ts';
import { isShadowed } from '../syntax/scopes.ts';
import { addEdit, editOperations, type FileEdits } from '../servers/trial.ts';
import { sourcePattern } from '../servers/tsService.ts';
import { because, refuse } from '../../refusals/refuse.ts';

export interface RenameOptions {
  /** Also in strings and comments, where the name stands as a word. */
  comments: boolean;
}

/**
 * Renames a symbol everywhere, through imports and re-exports. That everything still means the same is shown by where the names
 * stand, if that suffices; else the result is tried out: it must bind exactly as before and bring no error.
 */
export async function renameSymbol(
  backend: RenameBackend,
  asked: RefactorTarget,
  newName: string,
  options: RenameOptions,
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const written = await asWritten(backend, asked);
  checkName(written, newName);
  if (written.isQuoted) {
    const found = await placesOf(backend, written, newName, waiting);
    if (!(await declaresMember(backend, found))) return renameLiteral(backend, written, newName, found, waiting);
    await checkUnquoted(backend, written.name, newName, found);
  }
  const target = await declarationOf(backend, written, waiting);
  // Asked first, since starting a program to look around holds everything up for a moment.
  const finding = placesOf(backend, target, newName, waiting);
  finding.catch(() => undefined);
  await nextTurn();
  // Awaited below, unless the server refuses first.
  const handled: Promise<string | undefined>[] = [];
  const looking = lookAround(backend, target, newName, waiting, handled);
  const asObject = looking.then(async () => (await Promise.all(handled)).find((how) => how !== undefined));
  asObject.catch(() => undefined);
  const oldName = target.name;
  const found = await finding;
  if (!written.isQuoted && isReserved(newName) && !(await declaresMember(backend, found)))
    throw new ToolError('invalid_arguments', `"${newName}" is a reserved word.`, {
      hint: advise`Choose another ${parameter('newName')}.`,
    });
  const around = {
    ...(await looking),
    target,
    newName,
    asObject,
    deadline: Date.now() + (waiting.proofMs ?? trialsBudgetMs),
  };
  let change = await changeOf(backend, around, found, [], waiting);
  const together = new Set<string>();
  const keys: RenamePlace[] = [];
  // A member whose new name the checker misses elsewhere, or that others share in a union, takes its namesakes there along.
  for (let rounds = 0; rounds < maxRounds && change.isMember; rounds++) {
    const { conflicts = [], lost = [] } = change.trial;
    const left = await mentionsLeft(backend, oldName, change.changed, around.old);
    const hints =
      conflicts.length > 0 || left.length === 0
        ? conflicts
        : await missedAsRequired(backend, { ...change, ...around, left }, waiting);
    const missed = await namesakesMissed(backend, { oldName, newName }, hints, change.edits, left);
    const more = [...change.places, ...missed.filter(isShorthand).map((one) => keepingItsName(one, oldName))];
    const asked = [...missed.filter((one) => !isShorthand(one)).map(({ place }) => place), ...lost.slice(0, maxAsked)];
    for (const { path, range } of asked)
      more.push(...(await placesOf(backend, { path, position: range.start, name: oldName }, newName, waiting)));
    const wider = withoutDoubles(more);
    const missedKeys = await keysMissed(backend, oldName, conflicts, change.edits, left, waiting);
    if (wider.length === change.places.length && missedKeys.length === 0) break;
    keys.push(...missedKeys);
    change = await changeOf(backend, around, wider, keys, waiting);
    for (const { place } of missed)
      together.add(`${displayPath(backend.project.root, place.path)}:${place.range.start.line}`);
  }
  const { changed, edits, why, trial, dependents, notes } = change;
  const { old } = around;
  const hidden = why === undefined ? [] : await hiddenMeanings(backend, { target, newName, places: changed, old });
  const asking = why === undefined ? [] : await askedByName(backend, target, changed, around);
  const isKnown = ({ file, line, column }: Conflict): boolean =>
    hidden.some((one) => one.file === file && one.line === line && one.column === column);
  hidden.push(...asking.filter((one) => !isKnown(one)));
  const paths = changed.map((place) => place.path);
  const built = await usesOfBuilt(backend, paths, remaining(changed, old), waiting);
  hidden.push(...built.map((use) => throughBuilt(backend, use)));
  const inText = options.comments ? await textPlaces(backend, oldName, changed, old) : [];
  for (const place of inText) addEdit(edits, place.path, place.range, newName, oldName);
  const count = changed.length + inText.length;
  const isPending = waiting.proofMs !== undefined && (trial.unseen ?? []).length > 0;
  return proposal(
    `rename ${oldName} to ${newName}: ${counted(count, 'place')} in ${counted(edits.size, 'file')}`,
    editOperations(backend, edits),
    {
      conflicts: [...(trial.conflicts ?? []), ...hidden],
      ...(isPending ? { tryOnDisk: true } : { tried: trial.tried }),
      seen: backend.seen,
      dependents: why === undefined ? [] : [...dependents, ...(isPending ? (trial.unseen ?? []) : [])],
      renamed: { from: oldName, to: newName },
      notes: [
        ...(trial.notes ?? []),
        ...notes,
        ...(together.size === 0
          ? []
          : [`Renamed with it, since one is used in place of the other: ${[...together].join(', ')}`]),
        ...(keys.length === 0
          ? []
          : [`Renamed with it: ${counted(keys.length, 'string')} in which it is a key of its type`]),
        ...(options.comments ? [] : leftBehind(backend.project.root, oldName, changed, old)),
      ],
    },
  );
}

/** `{ name }`, which takes a member into a variable of its name, or a variable into a member of its name. */
function isShorthand({ token }: Mention): boolean {
  const tsc = compiler();
  const { parent } = token;
  return (
    tsc.isShorthandPropertyAssignment(parent) ||
    (tsc.isBindingElement(parent) && tsc.isObjectBindingPattern(parent.parent) && parent.propertyName === undefined)
  );
}

function keepingItsName({ place }: Mention, oldName: string): RenamePlace {
  return { ...place, suffix: `: ${oldName}` };
}

function throughBuilt(backend: RenameBackend, { path, range, through }: BuiltUse): Conflict {
  const built = displayPath(backend.project.root, through);
  const message = because('knownByBuilt', { path: built });
  return { kind: 'meaning', message, file: path, line: range.start.line, column: range.start.column };
}

/** How often what a rename brings up may widen it, and how many places are asked about for that. */
const maxRounds = 4;
/** How long, in all of its trials, a rename may look at files that it does not change. */
const trialsBudgetMs = 15_000;
const maxAsked = 16;

interface Change {
  /** What is bound to the renamed symbol. */
  places: readonly RenamePlace[];
  /** All of what gets the new name. */
  changed: readonly RenamePlace[];
  isMember: boolean;
  edits: FileEdits;
  /** Why the places alone do not show that nothing changes its meaning. */
  why: string | undefined;
  trial: RenameTrial;
  dependents: string[];
  /** Files in which types could fail to fit all the same. */
  further: string[];
  notes: string[];
}

/** The edits for these places and what follows from them, tried out where that is needed. */
async function changeOf(
  backend: RenameBackend,
  around: Omit<RenameClaim, 'places'> & { deadline: number },
  found: readonly RenamePlace[],
  /** Strings that name the symbol. */
  keys: readonly RenamePlace[],
  waiting: RefactorWaiting,
): Promise<Change> {
  const { target, newName, old, fresh, deadline } = around;
  const oldName = target.name;
  const followed = isJavaScript(target.path)
    ? await followCommonJs(backend, oldName, newName, found, waiting)
    : { places: found, extra: [], notes: [], conflicts: [] };
  const { places } = followed;
  const why = await whyUnproven(backend, { ...around, places });
  const isMember = why !== undefined && (await declaresMember(backend, places));
  const untyped = isMember
    ? await untypedUses(backend, oldName, [...places, ...keys, ...followed.extra], old, waiting)
    : { extra: [], notes: [], conflicts: [] };
  const documented = await documentedParameters(backend, oldName, places);
  const changed = [...places, ...keys, ...followed.extra, ...untyped.extra, ...documented];
  const outside = changed.find((place) => !isOwn(backend, place.path));
  if (outside !== undefined) throw refuse('declaredOutside', { name: oldName, path: outside.path });
  await checkDeclarations(
    backend,
    oldName,
    changed.map((place) => place.path),
    waiting,
  );
  const edits: FileEdits = new Map();
  for (const { path, range, prefix, suffix } of changed)
    addEdit(edits, path, range, prefix + newName + suffix, lengthOf(range) === oldName.length ? oldName : undefined);
  // Where a name is written differently (quoted, escaped), the file as a whole must be the one that was looked at.
  await backend.open(
    [...edits].filter(([, list]) => list.some((edit) => edit.oldText === undefined)).map(([path]) => path),
  );
  const dependents = [...new Set([...old.files, ...fresh.files])].filter((file) => !edits.has(file));
  // The types of members must fit wherever their objects go, whether or not the name is mentioned there.
  const further = isMember ? await filesWithin(backend, [...edits.keys()], waiting) : [];
  const trial =
    why === undefined
      ? { tried: { before: [], after: [] }, notes: [], conflicts: [] }
      : await tryRename(backend, { target, newName, places, edits, dependents, further, deadline }, waiting);
  const conflicts = [...(trial.conflicts ?? []), ...followed.conflicts, ...untyped.conflicts];
  const notes = [...followed.notes, ...untyped.notes];
  return { places, changed, isMember, edits, why, trial: { ...trial, conflicts }, dependents, further, notes };
}

/** The files in which something of the changed ones can be seen. */
async function filesWithin(
  backend: RenameBackend,
  changed: readonly string[],
  { signal }: RefactorWaiting,
): Promise<string[]> {
  const files = await listSourceFiles(backend.project, sourceExtensions, signal);
  for (const path of changed) {
    const { text } = await backend.text(path);
    if (!compiler().isExternalModule(parse(path, text)) || text.includes('declare global')) return files;
  }
  return (await importersOf(backend.project, changed, files, signal)) ?? files;
}

/** A shorthand that is met from both its sides changes whole, and needs neither name beside the new one. */
function withoutDoubles(places: readonly RenamePlace[]): RenamePlace[] {
  const found = new Map<string, RenamePlace>();
  for (const place of places) {
    const known = found.get(placeKey(place));
    const isOther = known !== undefined && (known.prefix !== place.prefix || known.suffix !== place.suffix);
    found.set(placeKey(place), isOther ? { ...place, prefix: '', suffix: '' } : place);
  }
  return [...found.values()];
}

/** Where the old and the new name stand; of a local name, only within its file. `handled` gets how each file that names the module handles it. */
async function lookAround(
  backend: RenameBackend,
  target: RefactorTarget,
  newName: string,
  waiting: RefactorWaiting,
  handled: Promise<string | undefined>[],
): Promise<Survey> {
  const { path, name, position } = target;
  const text = await backend.text(path);
  const isLocal =
    !isPlainlyExported(text, position) && isLocalDeclaration(tokenAt(parse(path, text.text), text.offsetAt(position)));
  if (isLocal) return surveyWithin(path, text, name, newName);
  let expected = 0;
  return survey(backend.project, { oldName: name, newName, modulePath: path }, waiting, {
    onFile: (file) => {
      if (expected++ < maxReadAhead) void backend.seen.readAhead(file);
    },
    onImport: (mention, specifier) => {
      const how = moduleAsObject(backend, mention, specifier);
      how.catch(() => undefined);
      handled.push(how);
    },
  });
}

/** Files that are read while the server still looks for the places: most of those that mention a name change with it. */
const maxReadAhead = 256;

interface Written extends RefactorTarget {
  isQuoted: boolean;
}

/** The whole name where only a part of it looks like one: `'max-size'`. */
async function asWritten(backend: RenameBackend, asked: RefactorTarget): Promise<Written> {
  const tsc = compiler();
  const text = await backend.text(asked.path);
  const start = text.offsetAt(asked.position);
  const before = text.lineText(asked.position.line)?.slice(0, asked.position.column - 1) ?? '';
  const mayBeQuoted = /['"`-]/.test(before + (text.text[start + asked.name.length] ?? ''));
  const hasEscapes = text.text.includes('\\u') && /[\w$}]\\u|\\u(?:\{[^}]*\}|\w{4})[\w$]/.test(text.text);
  const plain = { ...asked, isQuoted: false };
  if (!mayBeQuoted && !hasEscapes) return plain;
  const source = parse(asked.path, text.text);
  const token = tokenAt(source, start);
  if (tsc.isStringLiteralLike(token) && moduleNamed(token.parent) === token)
    throw refuse('partOfPath', { name: asked.name });
  if (tsc.isStringLiteralLike(token))
    return { ...asked, name: token.text, position: text.positionAt(token.getStart(source) + 1), isQuoted: true };
  // The server does not see that a name with an escape in it is the same one.
  const visit = (node: ts.Node): boolean =>
    tsc.isIdentifier(node) && tsc.isIdentifier(token)
      ? node.text === token.text && node.getText(source).includes('\\')
      : (tsc.forEachChild(node, (child) => visit(child) || undefined) ?? false);
  if (hasEscapes && visit(source)) throw refuse('writtenWithEscape', { name: asked.name });
  return plain;
}

/** Where a name stands without quotes, it must be a name. */
async function checkUnquoted(
  backend: RenameBackend,
  oldName: string,
  newName: string,
  places: readonly RenamePlace[],
): Promise<void> {
  const why = invalidName(newName);
  if (why === undefined) return;
  for (const { path, range } of places) {
    const text = await backend.text(path);
    if (/['"`]/.test(text.text.charAt(text.offsetAt(range.start) - 1))) continue;
    throw new ToolError(
      'invalid_arguments',
      `${why}, and "${oldName}" stands without quotes at ${displayPath(backend.project.root, path)}:${range.start.line}.`,
      { hint: advise`Choose another ${parameter('newName')}.` },
    );
  }
}

/** A use of a named import means the thing imported, not the local name of it. A default import has a name of its own. */
async function declarationOf(
  backend: RenameBackend,
  asked: RefactorTarget,
  waiting: RefactorWaiting,
): Promise<RefactorTarget> {
  const here = await backend.text(asked.path);
  // Parsing a large file takes longer than the rename itself: only where an import could bring the name in.
  const word = asked.name.replaceAll('$', '\\$');
  const imported = new RegExp(`\\bimport\\b[^'"]*\\{[^}'"]*(?<![\\w$])${word}(?![\\w$])[^}'"]*\\}\\s*from\\b`);
  if (!imported.test(here.text)) return asked;
  const source = parse(asked.path, here.text);
  const token = tokenAt(source, here.offsetAt(asked.position));
  if (!isImportedName(source, token, asked.name)) return asked;
  const found = await backend.definitions(asked.path, asked.position, waiting);
  const [only] = found;
  if (found.length !== 1 || only === undefined || !isOwn(backend, only.path) || !sourcePattern.test(only.path))
    return asked;
  const text = await backend.text(only.path);
  const name = text.text.slice(text.offsetAt(only.range.start), text.offsetAt(only.range.end));
  if (name !== asked.name) return asked;
  return { path: only.path, name, position: only.range.start };
}

/** Whether a token is, or refers to, a name that an import brings in as it is exported. */
function isImportedName(source: ts.SourceFile, token: ts.Node, name: string): boolean {
  const tsc = compiler();
  const specifier = source.statements
    .filter((statement) => tsc.isImportDeclaration(statement))
    .flatMap((statement) => {
      const bindings = statement.importClause?.namedBindings;
      return bindings !== undefined && tsc.isNamedImports(bindings) ? [...bindings.elements] : [];
    })
    .find((element) => element.name.text === name && element.propertyName === undefined);
  if (specifier === undefined) return false;
  if (specifier.name === token) return true;
  if (!tsc.isIdentifier(token)) return false;
  const isMember =
    (tsc.isPropertyAccessExpression(token.parent) && token.parent.name === token) ||
    (tsc.isQualifiedName(token.parent) && token.parent.right === token) ||
    (tsc.isPropertyAssignment(token.parent) && token.parent.name === token);
  return !isMember && !isShadowed(name, token, source);
}

/** Of a range within one line. */
function lengthOf({ start, end }: Range): number {
  return start.line === end.line ? end.column - start.column : -1;
}

function checkName({ name: oldName, isQuoted }: Written, newName: string): void {
  // Members may be called by any word.
  const why = isQuoted ? invalidText(newName) : isReserved(newName) ? undefined : invalidName(newName);
  if (why !== undefined)
    throw new ToolError('invalid_arguments', `${why}.`, { hint: advise`Choose another ${parameter('newName')}.` });
  if (!isQuoted && oldName.startsWith('#') !== newName.startsWith('#'))
    throw new ToolError(
      'invalid_arguments',
      `"${oldName}" and "${newName}" must both be private names (#) or neither.`,
    );
  if (newName === oldName) throw new ToolError('invalid_arguments', `It is called "${oldName}" already.`);
}

/** What stands in a string between quotes of any kind as it is. */
function invalidText(text: string): string | undefined {
  return text === '' || /['"`\\\r\n]|\$\{/.test(text) ? `"${text}" cannot stand between quotes as it is` : undefined;
}

function isOwn(backend: RenameBackend, path: string): boolean {
  return isInside(backend.project.root, path) && !path.includes('/node_modules/');
}
