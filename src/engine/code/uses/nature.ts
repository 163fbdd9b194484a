import { isScriptFile } from '../../../base/languages/byPath.ts';
import { comparePositions } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { casualOutlineOf, symbolsAround } from '../queries/requests/outline.ts';
import { holderOf } from './receivers.ts';

/** Who can name a symbol, which decides where uses can hide from the server. */
export type Nature =
  /** Reached through an object: `holder` is its class or interface. */
  | { kind: 'member'; holder: FileRange | 'object' }
  /** Other files can name it. */
  | { kind: 'open' }
  /** Only the code around it can: what the server finds by scope is all there is. */
  | { kind: 'local' };

export async function natureOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  declared: FileRange,
  name: string,
  signal?: AbortSignal,
): Promise<Nature> {
  const holder = await holderOf(workspace, server, declared, signal);
  if (holder !== undefined) return { kind: 'member', holder };
  const around = symbolsAround((await casualOutlineOf(server, declared.path, signal)) ?? [], declared.range.start);
  const above = around.filter(({ nameRange }) => comparePositions(nameRange.start, declared.range.start) !== 0);
  if (above.some(({ kind }) => functionKinds.has(kind))) return { kind: 'local' };
  if (!isScriptFile(extensionOf(declared.path))) return { kind: 'open' };
  const text = (await workspace.texts.tryGet(declared.path))?.text ?? '';
  return isModule.test(text) && !mayBeExported(text, name) ? { kind: 'local' } : { kind: 'open' };
}

const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
const isModule = /^\s*(?:import|export)\b|\brequire\(|\bmodule\.exports\b|\bexports\./m;

/** Whether a word stands in anything that exports. Statements without semicolons may be taken for longer than they are. */
function mayBeExported(text: string, name: string): boolean {
  const word = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`);
  for (const { index } of text.matchAll(/\bexports?\b/g)) {
    const rest = text.slice(index, index + 4000);
    const end = rest.search(/;|\n\s*\n/);
    if (word.test(end === -1 ? rest : rest.slice(0, end))) return true;
  }
  return false;
}
