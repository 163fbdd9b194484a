import { comparePositions, type Position } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import type { OutlineSymbol } from '../model.ts';
import { askDefinition } from '../queries/requests/definition.ts';
import { casualOutlineOf, symbolsAround } from '../queries/requests/outline.ts';

/** Whether the line that declares a class names the other one as its base. */
export async function isBuiltOn(workspace: CodeWorkspace, type: FileRange, base: FileRange): Promise<boolean> {
  const name = await textAt(workspace, base);
  const line = (await workspace.texts.tryGet(type.path))?.lineText(type.range.start.line) ?? '';
  const bases = line.slice(type.range.end.column - 1).split(/[^\p{L}\d_$]+/u);
  return name !== undefined && keyOf(type) !== keyOf(base) && bases.includes(name);
}

export async function textAt(workspace: CodeWorkspace, { path, range }: FileRange): Promise<string | undefined> {
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

/** Undefined where the object has no name of its own: `f().save`. */
export async function typesOfReceiver(
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
export async function holderOf(
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
