import { isJavascriptFile, isPythonFile, isTypescriptFile } from '../../../base/languages/byPath.ts';
import { isInside } from '../../../base/paths.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import type { WordPlace } from '../sourceFiles.ts';
import { wordRole } from '../syntax/mentions.ts';
import { askDefinition } from '../queries/requests/definition.ts';
import type { Nature } from './nature.ts';
import { holderOf, isBuiltOn, textAt, typesOfReceiver } from './receivers.ts';
import { isLooseProperty, supertypesOf } from './otherMembers.ts';

/** Why a place with the name may be a use that the server cannot tell. */
export type Doubt =
  /** The server resolves nothing there. */
  | 'unresolved'
  /** It is a property of an object that no class or interface declares. */
  | 'loose'
  /** It is the member of a class that the one meant is built on. */
  | 'base'
  /** It is a member of a library that the one meant stands in for. */
  | 'library'
  /** It stands in a file that the server does not read. */
  | 'unread';

export interface PossibleUse extends FileRange {
  doubt: Doubt;
}

/** What became of the places with a word that are none of the references the server told. */
export interface Account {
  /** They lead to the symbol all the same. */
  references: FileRange[];
  possible: PossibleUse[];
  /** The same member, declared anew in classes built on the one that has it: their uses are told apart from these. */
  overrides: { holder: string; place: FileRange }[];
  /** Places that were too many to ask about. */
  unchecked: number;
}

interface Accounted {
  name: string;
  nature: Nature;
  declarations: readonly FileRange[];
  /** What the server told, declarations included. */
  known: readonly FileRange[];
}

/** A word that common says little, and a caller waits: more places, or longer, is only counted. */
const maxAsked = 1500;
const maxMs = 2500;
const askedTogether = 64;

/**
 * Accounts for every other place of the word in the code: what the server resolves to something else is none, what it resolves to the
 * symbol is a use that it forgot, and what it cannot resolve may be one. Nothing is asked when the server told them all.
 */
export async function accountFor(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { name, nature, declarations, known }: Accounted,
  /** Places with the word that are not among the known ones. */
  words: readonly WordPlace[],
  signal?: AbortSignal,
): Promise<Account> {
  const account: Account = { references: [], possible: [], overrides: [], unchecked: 0 };
  const keys = new Set(known.map(keyOf));
  const rest = words.filter((place) => isOwn(workspace, place));
  if (rest.length === 0 || nature.kind === 'local') return account;
  const files = new Set(known.map(({ path }) => path));
  const asked: Asked[] = [];
  // File by file, so that each is cut into tokens once.
  for (const [path, places] of byFile(rest)) {
    const text = await workspace.texts.tryGet(path);
    if (text === undefined) continue;
    for (const place of places) {
      const role = wordRole(extensionOf(path), text, place.range.start, name);
      // Beside the declaration there may be others of the name that are one with it: a namespace and a constant.
      const isBeside = declarations.some((one) => one.path === path);
      if (role === 'name' && nature.kind === 'open' && !isBeside && isSettled(place, text.text, name, files.has(path)))
        continue;
      if (role === 'name' || role === 'documentation') asked.push({ place, role });
      // What a module lists, and what its type comments name, is what it declares or imports.
      else if (role !== 'text' && nature.kind === 'open' && files.has(path)) account.references.push(place);
    }
  }
  // Where the symbol is used for sure, it is most likely used in other ways too.
  const ranked = asked.sort((a, b) => Number(files.has(b.place.path)) - Number(files.has(a.place.path)));
  const answers = await definitionsOf(server, ranked.slice(0, maxAsked), signal);
  account.unchecked = ranked.length - answers.length;
  const passed = await isPassedOn(workspace, nature, declarations);
  const leading = leadsTo(answers, passed ? keys : new Set(declarations.map(keyOf)), passed);
  // Of a name in documentation that nobody resolves, its file says what it means.
  for (const { place } of answers) if (leading.has(keyOf(place))) files.add(place.path);
  for (const { place, role, definitions } of answers)
    if (role === 'documentation' && definitions.length === 0 && nature.kind === 'open' && files.has(place.path))
      leading.add(keyOf(place));
  const others = answers.filter(({ place }) => !leading.has(keyOf(place)));
  account.references.push(...answers.map(({ place }) => place).filter((place) => leading.has(keyOf(place))));
  await judge(
    workspace,
    server,
    nature,
    others.filter(({ role }) => role === 'name'),
    account,
    signal,
  );
  return account;
}

interface Asked {
  place: WordPlace;
  role: 'name' | 'documentation';
}

interface Answer extends Asked {
  definitions: FileRange[];
}

async function definitionsOf(
  server: LanguageServer,
  asked: readonly Asked[],
  signal: AbortSignal | undefined,
): Promise<Answer[]> {
  const startedAt = Date.now();
  const answers: Answer[] = [];
  for (let at = 0; at < asked.length && Date.now() - startedAt < maxMs; at += askedTogether)
    answers.push(
      ...(await Promise.all(
        asked.slice(at, at + askedTogether).map(async ({ place, role }) => {
          const at = { path: place.path, position: place.range.start };
          return { place, role, definitions: await askDefinition(server, 'textDocument/definition', at, signal) };
        }),
      )),
    );
  return answers;
}

/**
 * Whether other names stand for a symbol: imports and exports do for what a module declares. A variable into which a member is taken
 * (`const { name } = object`) is one of its own.
 */
async function isPassedOn(
  workspace: CodeWorkspace,
  nature: Nature,
  declarations: readonly FileRange[],
): Promise<boolean> {
  if (nature.kind === 'open') return true;
  for (const { path, range } of declarations) {
    const text = isJavascriptFile(path) ? await workspace.texts.tryGet(path) : undefined;
    const end = text?.offsetAt(range.start) ?? 0;
    const before = text?.text.slice(Math.max(end - 4000, 0), end) ?? '';
    if (/\bexports\.$|\bmodule\.exports\s*=\s*\{[^{};]*$/.test(before)) return true;
  }
  return false;
}

/** The places that lead to a wanted one; where names are passed on, by way of others too: an import may lead to what is wanted. */
function leadsTo(answers: readonly Answer[], wanted: ReadonlySet<string>, isPassedOn: boolean): Set<string> {
  const found = new Set<string>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { place, definitions } of answers)
      if (
        definitions.some((definition) => wanted.has(keyOf(definition)) || (isPassedOn && found.has(keyOf(definition))))
      )
        found.add(keyOf(place));
  }
  return found;
}

async function judge(
  workspace: CodeWorkspace,
  server: LanguageServer,
  nature: Nature,
  answers: readonly Answer[],
  account: Account,
  signal: AbortSignal | undefined,
): Promise<void> {
  const holder = nature.kind === 'member' ? nature.holder : undefined;
  const elsewhere = new Map<string, { definition: FileRange; places: WordPlace[] }>();
  const unresolved = answers.filter(({ definitions }) => definitions.length === 0).map(({ place }) => place);
  await Promise.all(
    unresolved.map(async (place) => {
      if (!canMean(place, nature)) return;
      const types =
        holder === undefined || holder === 'object'
          ? undefined
          : await typesOfReceiver(server, place.path, place.lineText, place.range.start, signal);
      if (types?.some((type) => holder !== undefined && holder !== 'object' && keyOf(type) === keyOf(holder)) === true)
        account.references.push(place);
      else account.possible.push({ ...placeOf(place), doubt: 'unresolved' });
    }),
  );
  if (holder === undefined) return;
  for (const { place, definitions } of answers)
    for (const definition of definitions) {
      const known = elsewhere.get(keyOf(definition)) ?? { definition, places: [] };
      known.places.push(place);
      elsewhere.set(keyOf(definition), known);
    }
  const above = new Set(holder === 'object' ? [] : (await supertypesOf(workspace, server, holder, signal)).map(keyOf));
  const doubtful = new Map<string, PossibleUse>();
  for (const { definition, places } of elsewhere.values()) {
    if (!isInside(workspace.project.root, definition.path)) continue;
    const other = await holderOf(workspace, server, definition, signal);
    const doubt = await doubtAbout(other, definition);
    for (const place of doubt === undefined ? [] : places) {
      if (doubt !== undefined) doubtful.set(keyOf(place), { ...placeOf(place), doubt });
    }
    if (other === undefined || other === 'object' || holder === 'object') continue;
    if (!(await isBuiltOn(workspace, other, holder))) continue;
    account.overrides.push({ holder: (await textAt(workspace, other)) ?? '', place: definition });
  }
  account.possible.push(...doubtful.values());

  async function doubtAbout(
    other: FileRange | 'object' | undefined,
    definition: FileRange,
  ): Promise<Doubt | undefined> {
    if (other !== undefined && other !== 'object') return above.has(keyOf(other)) ? 'base' : undefined;
    return (await isLooseProperty(workspace, definition, holder === 'object')) ? 'loose' : undefined;
  }
}

/** Whether what nobody resolves can be the symbol at all: a member stands behind a dot, a name on its own is found by its scope. */
function canMean({ path, lineText, range }: WordPlace, nature: Nature): boolean {
  const isMember = lineText.charAt(range.start.column - 2) === '.';
  return isMember || (nature.kind === 'open' && isPythonFile(path));
}

/**
 * Whether TypeScript's own references cover a place of a name that a module declares: names on their own are found by scope, and members
 * of a module of the project by its import. Only what stands behind something else can be of unknown type, and only a file that
 * imports the name though nothing was found in it can be one that the server has not looked through.
 */
function isSettled({ path, lineText, range }: WordPlace, text: string, name: string, isFound: boolean): boolean {
  if (!isTypescriptFile(path)) return false;
  if (lineText.charAt(range.start.column - 2) !== '.') return isFound || !importing(name).test(text);
  const receiver = /(?<![\w$.)\]])([\w$]+)\??\.$/.exec(lineText.slice(0, range.start.column - 1))?.[1];
  if (receiver === undefined) return false;
  return importing(receiver).test(text);
}

/** An import of the name from a module of the project. */
function importing(name: string): RegExp {
  return new RegExp(`^import\\b[^;'"]*[\\s{,]${name.replaceAll('$', '\\$')}[\\s},][^;'"]*from\\s*['"]\\.`, 'm');
}

function isOwn(workspace: CodeWorkspace, { path, lineText }: WordPlace): boolean {
  // What is minified is built from something else.
  return isInside(workspace.project.root, path) && lineText.length <= maxLineChars;
}

const maxLineChars = 5000;

function byFile(places: readonly WordPlace[]): Map<string, WordPlace[]> {
  const files = new Map<string, WordPlace[]>();
  for (const place of places) {
    const list = files.get(place.path);
    if (list === undefined) files.set(place.path, [place]);
    else list.push(place);
  }
  return files;
}

function placeOf({ path, range }: FileRange): FileRange {
  return { path, range };
}

function keyOf({ path, range }: FileRange): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}
