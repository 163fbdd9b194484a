import { isInside } from '../../../../base/paths.ts';
import { comparePositions, type Position } from '../../../../base/positions.ts';
import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { Target } from '../../addressing.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { occurrencesOfWord } from '../../sourceFiles.ts';
import { isNameAt } from '../../syntax/classify.ts';
import { askDefinition } from '../requests/definition.ts';
import { casualOutlineOf, symbolsAround } from '../requests/outline.ts';

export interface UnresolvedMembers {
  /** The server knows the type of the object, but not the member: these are uses. */
  references: FileRange[];
  /** The type of the object is unknown, so these may be uses. */
  possible: FileRange[];
  /** The same member, declared anew in classes built on the one that has it: their uses are told apart from these. */
  overrides: { holder: string; place: FileRange }[];
  /** Places after a dot that were too many to ask about. */
  unchecked: number;
}

/** More places of the same word than this are only counted: a word that common says little. */
const maxAsked = 300;
const nothing: UnresolvedMembers = { references: [], possible: [], overrides: [], unchecked: 0 };

/**
 * Uses of a member on values whose type the server cannot tell: `getattr(…).save()`, a parameter of a plain JavaScript function, `any`.
 * A list of references without a word about them would look complete and not be.
 */
export async function unresolvedMembers(
  workspace: CodeWorkspace,
  server: LanguageServer,
  name: string,
  declared: FileRange | undefined,
  known: readonly FileRange[],
  signal?: AbortSignal,
): Promise<UnresolvedMembers> {
  const { languages, untypedExtensions } = server.definition;
  if (declared === undefined || untypedExtensions === undefined) return nothing;
  // Typed files have them too, where a type is `any`.
  const extensions = Object.keys(languages);
  const holder = await holderOf(workspace, server, declared, signal);
  if (holder === undefined) return nothing;
  const seen = new Set(known.map(keyOf));
  const words = await occurrencesOfWord(workspace.project, name, extensions, signal);
  const candidates = words.filter(
    (place) => !seen.has(keyOf(place)) && place.lineText.charAt(place.range.start.column - 2) === '.',
  );
  // Where the member is used for sure, it is most likely used in other ways too.
  const files = new Set(known.map(({ path }) => path));
  const ranked = [...candidates].sort((a, b) => Number(files.has(b.path)) - Number(files.has(a.path)));
  const unchecked = Math.max(candidates.length - maxAsked, 0);
  const found: UnresolvedMembers = { references: [], possible: [], overrides: [], unchecked };
  const elsewhere = new Map<string, FileRange>();
  await Promise.all(
    ranked.slice(0, maxAsked).map(async (place) => {
      const text = await workspace.texts.tryGet(place.path);
      if (text === undefined || !isNameAt(extensionOf(place.path), text, place.range.start)) return;
      const at = { path: place.path, position: place.range.start };
      const definitions = await askDefinition(server, 'textDocument/definition', at, signal);
      for (const definition of definitions)
        if (isInside(workspace.project.root, definition.path)) elsewhere.set(keyOf(definition), definition);
      if (definitions.length > 0) return;
      const types = await typesOfReceiver(server, place.path, place.lineText, place.range.start, signal);
      if (types === undefined || types.every(isUnknown)) found.possible.push(place);
      else if (holder !== 'object' && types.some((type) => keyOf(type) === keyOf(holder))) found.references.push(place);
    }),
  );
  if (holder !== 'object')
    for (const place of elsewhere.values()) {
      const other = await holderOf(workspace, server, place, signal);
      if (other === undefined || other === 'object' || !(await isBuiltOn(workspace, other, holder))) continue;
      found.overrides.push({ holder: (await textAt(workspace, other)) ?? '', place });
    }
  return found;
}

/** Whether the line that declares a class names the other one as its base. */
async function isBuiltOn(workspace: CodeWorkspace, type: FileRange, base: FileRange): Promise<boolean> {
  const name = await textAt(workspace, base);
  const line = (await workspace.texts.tryGet(type.path))?.lineText(type.range.start.line) ?? '';
  const bases = line.slice(type.range.end.column - 1).split(/[^\p{L}\d_$]+/u);
  return name !== undefined && keyOf(type) !== keyOf(base) && bases.includes(name);
}

async function textAt(workspace: CodeWorkspace, { path, range }: FileRange): Promise<string | undefined> {
  return (await workspace.texts.tryGet(path))
    ?.lineText(range.start.line)
    ?.slice(range.start.column - 1, range.end.column - 1);
}

/** The member that is meant where the server knows the type of the object and not the member itself. */
export async function memberByReceiver(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  signal?: AbortSignal,
): Promise<Target | undefined> {
  if (server.definition.untypedExtensions?.includes(extensionOf(target.path)) !== true) return undefined;
  const line = (await workspace.texts.tryGet(target.path))?.lineText(target.position.line) ?? '';
  if (line.charAt(target.position.column - 2) !== '.') return undefined;
  for (const type of (await typesOfReceiver(server, target.path, line, target.position, signal)) ?? []) {
    const [holder] = symbolsAround((await casualOutlineOf(server, type.path, signal)) ?? [], type.range.start).slice(
      -1,
    );
    const member = holder?.children.find((child) => child.name === target.name);
    if (member !== undefined)
      return { ...target, path: type.path, position: member.nameRange.start, range: member.nameRange };
  }
  return undefined;
}

/** `Any` is declared in the library, so it has a place. */
function isUnknown({ path }: FileRange): boolean {
  return /\/typing(_extensions)?\.pyi$/.test(path);
}

/** Undefined where the object has no name of its own: `f().save`. */
async function typesOfReceiver(
  server: LanguageServer,
  path: string,
  line: string,
  member: Position,
  signal: AbortSignal | undefined,
): Promise<FileRange[] | undefined> {
  const receiver = /[\p{L}_$][\p{L}\d_$]*\??\.$/u.exec(line.slice(0, member.column - 1));
  if (receiver === null || !server.client.offers('typeDefinitionProvider', 'textDocument/typeDefinition'))
    return undefined;
  const position = { line: member.line, column: receiver.index + 1 };
  return askDefinition(server, 'textDocument/typeDefinition', { path, position }, signal);
}

/** The class a member is declared in; `object` for members of something else; undefined when it is no member. */
async function holderOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { path, range }: FileRange,
  signal: AbortSignal | undefined,
): Promise<FileRange | 'object' | undefined> {
  const line = (await workspace.texts.tryGet(path))?.lineText(range.start.line) ?? '';
  const isSet = line.charAt(range.start.column - 2) === '.';
  const around = symbolsAround((await casualOutlineOf(server, path, signal)) ?? [], range.start);
  const isOwn = (symbol: OutlineSymbol) => comparePositions(symbol.nameRange.start, range.start) === 0;
  const above = around.filter((symbol) => !isOwn(symbol));
  const holder = isSet ? above.findLast(({ kind }) => kind === 'class') : above.at(-1);
  if (holder?.kind === 'class' || holder?.kind === 'interface') return { path, range: holder.nameRange };
  const own = around.find(isOwn);
  return isSet || own?.kind === 'property' || own?.kind === 'method' ? 'object' : undefined;
}

function keyOf({ path, range }: FileRange): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}
