import {
  isDeclarationFile,
  isPythonFile,
  isTypeDeclarationFile,
  isTypescriptFile,
} from '../../../base/languages/byPath.ts';
import { comparePositions, type LineIndex } from '../../../base/positions.ts';
import { ToolError } from '../../../base/errors.ts';
import type { DefinitionTarget } from '../../../protocol/lsp/convert.ts';
import { noSymbolAt, type Target } from '../addressing.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf, type LanguageServer } from '../languageServer.ts';
import { extensionsLike } from '../textual/textualReferences.ts';
import { textualState, textualSymbols } from '../textual/textualSearch.ts';
import { readyState, type IndexState, type Waiting } from '../model.ts';
import { classifyReference } from '../syntax/classify.ts';
import { answerOrKnown } from '../answerOrFallback.ts';
import { declared, type Definition } from './requests/declaration.ts';
import { currentAnswer } from './requests/currentAnswer.ts';
import { askDefinition } from './requests/definition.ts';
import { hoverAt, kindFromSignature, withSignature, type HoverText } from './requests/hover.ts';
import { codeOfLibrary } from './library/libraryCode.ts';
import { casualOutlineOf, symbolNamedAt, symbolsAround } from './requests/outline.ts';
import { signatureOf } from './outlineView.ts';
import { isLibraryPath } from './requests/symbols.ts';
import { byNameOnly, declarationsByName, servedOrByName } from './fallback/unresolvedNames.ts';
import { memberByReceiver } from '../uses/receivers.ts';

interface DefinitionResult {
  definitions: Definition[];
  signature?: string;
  documentation?: string;
  index: IndexState;
}

/** Where a symbol is declared, with the whole declaration. For library symbols the implementation is preferred to its types. */
export async function findDefinition(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting & { of?: 'symbol' | 'type' },
): Promise<DefinitionResult> {
  const definition = workspace.definitionFor(target.path);
  if (definition === undefined || !(await workspace.isInstalled(definition)))
    return textualDefinition(workspace, target, waiting.signal);
  return answerOrKnown(
    workspace,
    definition,
    waiting,
    () =>
      servedOrByName(
        workspace,
        target,
        () => servedDefinition(workspace, target, waiting),
        () => definitionByName(workspace, target, waiting.signal),
      ),
    (index) => textualDefinition(workspace, target, waiting.signal, index),
  );
}

async function servedDefinition(
  workspace: CodeWorkspace,
  target: Target,
  waiting: Waiting & { of?: 'symbol' | 'type' },
): Promise<DefinitionResult> {
  const server = await workspace.requireServer(target.path, { inStep: true });
  await server.documents.open(target.path);
  const hover = hoverAt(server, target.path, target.position, waiting.signal);
  // Both are asked for at once, and what the first tells is worked out while the second is on its way.
  const [{ definitions, state }, told] = await Promise.all([
    locateDefinitions(workspace, server, target, hover, waiting),
    hover,
  ]);
  const documentation = told.documentation ?? commentOf(definitions[0]?.source);
  return {
    definitions,
    ...withSignature(told, definitions[0]?.header),
    ...(documentation === undefined ? {} : { documentation }),
    index: server.definition.readiness.sign === 'answersWait' ? readyState : state,
  };
}

async function locateDefinitions(
  workspace: CodeWorkspace,
  server: LanguageServer,
  target: Target,
  hover: Promise<HoverText>,
  waiting: Waiting & { of?: 'symbol' | 'type' },
): Promise<{ definitions: Definition[]; state: IndexState }> {
  const method = waiting.of === 'type' ? 'textDocument/typeDefinition' : 'textDocument/definition';
  const ask = () => askDefinition(server, method, target, waiting.signal);
  const { name } = target;
  // A type has another name than what is of it.
  const found =
    waiting.of === 'type'
      ? await ask()
      : await currentAnswer(workspace, { server, name, ask, placesOf: (places) => places, signal: waiting.signal });
  const state = found.length === 0 ? await server.waitUntilReady(waiting) : server.state;
  // Nothing found may only mean that the server did not know the whole project yet.
  const again = found.length === 0 ? await askAgain(workspace, server, method, target, waiting.signal) : found;
  if (again.length === 0 && state.state === 'ready') throw await undeclared(workspace, target, hover);
  const definitions = await Promise.all(
    again.slice(0, 10).map((item) => describe(workspace, server, item, target.name, hover, waiting.signal)),
  );
  definitions.push(...(await bodyOfOverload(workspace, server, definitions, waiting.signal)));
  definitions.push(...(await codeOfLibrary(workspace, server, target, definitions[0], waiting.signal)));
  return { definitions, state };
}

/** What a computed type makes (`getTotal` from `get${Capitalize<…>}`) has a type, and nothing that declares it. */
async function undeclared(workspace: CodeWorkspace, target: Target, hover: Promise<HoverText>): Promise<ToolError> {
  const { signature } = await hover;
  if (signature === undefined) return noSymbolAt(workspace, target);
  const what = signature.includes(target.name) ? 'it is' : 'its type is';
  return new ToolError('symbol_not_found', `"${target.name}" is declared nowhere; ${what}: ${signature}`, {
    hint: 'It is made by code or by a computed type: ask for the definition of what it is taken from.',
  });
}

/** Where a call leads to one of several signatures, the function with the body is what a reader wants too. */
async function bodyOfOverload(
  workspace: CodeWorkspace,
  server: LanguageServer,
  definitions: readonly Definition[],
  signal: AbortSignal | undefined,
): Promise<Definition[]> {
  const [first] = definitions;
  if (first === undefined || !/^(function|method|constructor)$/.test(first.kind) || !isOverloadable(first.path))
    return [];
  const outline = (await casualOutlineOf(server, first.path, signal)) ?? [];
  const symbol = symbolNamedAt(outline, first.position);
  const around = symbolsAround(outline, first.position).filter((item) => item !== symbol);
  const siblings = around.at(-1)?.children ?? outline;
  const last = siblings.findLast(({ name, kind }) => name === symbol?.name && kind === symbol.kind);
  const isShown = definitions.some(
    ({ path, position }) => path === first.path && position.line === last?.nameRange.start.line,
  );
  if (symbol === undefined || last === undefined || last === symbol || isShown) return [];
  const text = await workspace.texts.tryGet(first.path);
  const item = { path: first.path, range: last.nameRange, fullRange: last.range };
  return [{ ...declared(workspace, item, text, first.name, first.kind), isImplementation: true }];
}

function isOverloadable(path: string): boolean {
  return (isTypescriptFile(path) || isPythonFile(path)) && !isDeclarationFile(path);
}

async function definitionByName(
  workspace: CodeWorkspace,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<DefinitionResult | undefined> {
  const server = await workspace.requireServer(target.path);
  const named = await declarationsByName(workspace, server, target.name, signal);
  const itself = named.filter(
    ({ path, range }) => path === target.path && comparePositions(range.start, target.position) === 0,
  );
  const found = itself.length > 0 ? itself : named;
  if (found.length === 0) return undefined;
  const definitions = found
    .slice(0, 10)
    .map((item) => describe(workspace, server, item, target.name, Promise.resolve({}), signal));
  return { definitions: await Promise.all(definitions), index: byNameOnly };
}

async function askAgain(
  workspace: CodeWorkspace,
  server: LanguageServer,
  method: string,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<DefinitionTarget[]> {
  const found = await askDefinition(server, method, target, signal);
  if (found.length > 0 || method !== 'textDocument/definition') return found;
  const member = await memberByReceiver(workspace, server, target, signal);
  return member === undefined ? [] : [{ path: member.path, range: member.range, fullRange: undefined }];
}

/** Declarations of that name in files of the same language. Several are told as several: the text cannot decide. */
async function textualDefinition(
  workspace: CodeWorkspace,
  target: Target,
  signal: AbortSignal | undefined,
  loading?: IndexState,
): Promise<DefinitionResult> {
  const extension = extensionOf(target.path);
  const related = extensionsLike(workspace, target.path);
  const symbols = (await textualSymbols(workspace, target.name, signal, related)).symbols.filter(
    (symbol) => symbol.name === target.name && related.includes(extensionOf(symbol.path)),
  );
  const definitions = await Promise.all(
    symbols.slice(0, 10).map(async (symbol): Promise<Definition> => {
      const text = await workspace.texts.get(symbol.path);
      const around = symbolsAround((await workspace.textual.get(symbol.path)).outline, symbol.position);
      const range = { start: symbol.position, end: symbol.position };
      const item = { path: symbol.path, range, fullRange: around.at(-1)?.range };
      return declared(workspace, item, text, symbol.name, symbol.kind);
    }),
  );
  const index = loading ?? (await textualState(workspace, target.path));
  if (definitions.length === 0)
    throw new ToolError('symbol_not_found', `No declaration of "${target.name}" was found in .${extension} files.`, {
      hint: index.detail,
    });
  return { definitions, index };
}

async function describe(
  workspace: CodeWorkspace,
  server: LanguageServer,
  item: DefinitionTarget,
  fallbackName: string,
  hover: Promise<HoverText>,
  signal: AbortSignal | undefined,
): Promise<Definition> {
  const text = await workspace.texts.tryGet(item.path);
  const outline = (await casualOutlineOf(server, item.path, signal)) ?? [];
  const symbol = symbolNamedAt(outline, item.range.start);
  // A map of type declarations tells names exactly, ends hardly.
  const isMapped = symbol !== undefined && isLibraryPath(workspace, item.path) && !isTypeDeclarationFile(item.path);
  const fullRange = isMapped ? symbol.range : (item.fullRange ?? symbol?.range);
  const memberLines = symbol?.children.map(({ nameRange }) => nameRange.start.line) ?? [];
  const told = symbol?.kind ?? (isModuleStart(item) ? 'module' : kindFromSignature((await hover).signature));
  const kind = text !== undefined && told === 'symbol' && isImport(item, text) ? 'unresolved import' : told;
  return {
    ...declared(workspace, { ...item, fullRange }, text, fallbackName, kind),
    ...(symbol === undefined || text === undefined ? {} : { header: signatureOf(text, symbol) }),
    ...(memberLines.length === 0 ? {} : { memberLines }),
  };
}

/** An import whose module cannot be found leads to itself. */
function isImport({ path, range }: DefinitionTarget, text: LineIndex): boolean {
  const hints = { isType: false, isOnlyType: false };
  return classifyReference(extensionOf(path), text, range.start, hints) === 'import';
}

/** A Python module is declared by its file. */
function isModuleStart({ path, range: { start } }: DefinitionTarget): boolean {
  return start.line === 1 && start.column === 1 && isPythonFile(path);
}

/** The documentation comment a declaration begins with. The server does not know those of `exports.name = …`. */
function commentOf(source: string | undefined): string | undefined {
  const comment = /^\s*\/\*\*([\s\S]*?)\*\//.exec(source ?? '')?.[1];
  return comment?.replace(/^[ \t]*\*? ?/gm, '').trim() || undefined;
}
