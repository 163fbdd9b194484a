import { isJavascriptFile, isPythonFile, isScriptFile, isTypeDeclarationFile } from '../../../base/languages/byPath.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { askDefinition } from '../queries/requests/definition.ts';
import { classifyReference } from '../syntax/classify.ts';
import { tokensAt } from '../syntax/classify.ts';

/**
 * Whether a property belongs to an object that no class or interface declares: a key of an object literal, or what JavaScript assigns
 * to an object. Such objects are handed on to where their type is another, or unknown. TypeScript's checker follows the typed ones.
 */
export async function isLooseProperty(
  workspace: CodeWorkspace,
  { path, range }: FileRange,
  isOfObject: boolean,
): Promise<boolean> {
  const extension = extensionOf(path);
  if (!isScriptFile(extension) || isTypeDeclarationFile(path)) return false;
  const isScript = isJavascriptFile(extension);
  if (!isScript && !isOfObject) return false;
  const text = await workspace.texts.tryGet(path);
  const line = text?.lineText(range.start.line) ?? '';
  if (text === undefined) return false;
  if (line.charAt(range.start.column - 2) === '.') return isScript;
  const found = tokensAt(extension, text, range.start);
  const before = found?.tokens[found.at - 1]?.text ?? '';
  const after = found?.tokens[found.at + 1]?.text ?? '';
  if (before !== '{' && before !== ',') return false;
  if (after === ':') return classifyReference(extension, text, range.start, value) === 'write';
  // `{ name }` takes a variable into an object, or one out of it; `{ name() {} }` is a method.
  return (after === ',' || after === '}' || after === '(') && isScript;
}

const value = { isType: false, isOnlyType: false };
const maxDepth = 6;

/** The classes of the project that a Python class is built on, however far up. TypeScript's own references know them. */
export async function supertypesOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  type: FileRange,
  signal?: AbortSignal,
): Promise<FileRange[]> {
  if (!isPythonFile(type.path)) return [];
  const found = new Map<string, FileRange>();
  const follow = async ({ path, range }: FileRange, depth: number): Promise<void> => {
    const line = (await workspace.texts.tryGet(path))?.lineText(range.start.line) ?? '';
    const bases = /^\(([^)]*)/.exec(line.slice(range.end.column - 1).trimStart())?.[1] ?? '';
    const from = line.indexOf('(', range.end.column - 1) + 1;
    for (const { 0: name, index } of bases.matchAll(/[\p{L}_][\p{L}\d_]*(?=\s*(?:,|$|\[))/gu)) {
      const position = { line: range.start.line, column: from + index + 1 };
      for (const base of await askDefinition(server, 'textDocument/definition', { path, position }, signal)) {
        const key = `${base.path}:${base.range.start.line}:${base.range.start.column}`;
        if (found.has(key) || name === 'Generic') continue;
        found.set(key, base);
        if (depth < maxDepth) await follow(base, depth + 1);
      }
    }
  };
  await follow(type, 1);
  return [...found.values()];
}
