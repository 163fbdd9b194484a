import { isPythonFile } from '../../../../base/languages/byPath.ts';
import type { FittingType } from '../repairs.ts';
import type { Position } from '../../../../base/positions.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import type { OutlineSymbol } from '../../model.ts';
import { filesWithWord } from '../../sourceFiles.ts';
import { casualOutlineOf, flattenOutline, symbolsAround } from '../../queries/requests/outline.ts';

const maxFiles = 60;

/**
 * Classes of the project that have every member of a Python `Protocol` and do not name it: they implement it by their structure, which no
 * list of subclasses shows. Only the names of members are compared. Nothing for anything but a protocol or its member.
 */
export async function classesThatFit(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { path, position }: { path: string; position: Position },
  signal?: AbortSignal,
): Promise<FittingType[]> {
  if (!isPythonFile(path)) return [];
  const around = symbolsAround((await casualOutlineOf(server, path, signal)) ?? [], position);
  const protocol = around.findLast(({ kind }) => kind === 'class');
  const header = (await workspace.texts.tryGet(path))?.lineText(protocol?.nameRange.start.line ?? 0) ?? '';
  if (protocol === undefined || !/\bProtocol\b/.test(header)) return [];
  const asked = protocol.nameRange.start.line === position.line ? undefined : around.at(-1)?.name;
  const members = [...new Set(protocol.children.map(({ name }) => name))].filter((name) => !name.startsWith('__'));
  const [rarest] = members.toSorted((a, b) => b.length - a.length);
  if (rarest === undefined) return [];
  const files = await filesWithWord(workspace.project, rarest, ['py'], signal);
  const found = await Promise.all(
    files.slice(0, maxFiles).map(async (file) => {
      const classes = flattenOutline((await casualOutlineOf(server, file, signal)) ?? []);
      return classes.flatMap(({ symbol, namePath }) => fitting(file, symbol, namePath, members, asked));
    }),
  );
  return found.flat().filter(({ path: file, namePath }) => file !== path || namePath[0] !== protocol.name);
}

function fitting(
  path: string,
  symbol: OutlineSymbol,
  namePath: string[],
  members: readonly string[],
  asked: string | undefined,
): FittingType[] {
  const names = new Set(symbol.children.map(({ name }) => name));
  if (symbol.kind !== 'class' || !members.every((name) => names.has(name))) return [];
  if (asked === undefined) return [{ path, symbol, namePath }];
  const member = symbol.children.find(({ name }) => name === asked);
  return member === undefined ? [] : [{ path, symbol: member, namePath: [...namePath, asked] }];
}
