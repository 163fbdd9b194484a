import { dirname } from 'node:path';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { counted } from '../../../../base/text/counted.ts';
import { ToolError } from '../../../../base/errors.ts';
import { displayPath, pathToUri } from '../../../../base/paths.ts';
import { comparePositions, type LineIndex, type Range } from '../../../../base/positions.ts';
import { toWirePosition } from '../../../../protocol/lsp/convert.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../workspace/edits/text/textEdits.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { locateReferences, type LocatedReferences } from '../../queries/requests/locateReferences.ts';
import { outlineOf, symbolNamedAt } from '../../queries/requests/outline.ts';
import { askDefinition } from '../../queries/requests/definition.ts';
import { operationsOf } from '../../workspaceEdit.ts';
import { indexNotReady } from '../indexNotReady.ts';
import {
  proposal,
  type DeleteOptions,
  type ExtractRequest,
  type LanguageRefactorer,
  type Proposal,
  type RefactorTarget,
  type RefactorWaiting,
} from '../model.ts';
import { stillUsed } from '../stillUsed.ts';
import { declarationLines, isWithin } from './deletion.ts';
import type { ExtractAction, LspRefactoring } from './profile.ts';
import { asRefusal, editOfAction } from './serverActions.ts';
import { editedTexts, errorsOf, tried } from './trial.ts';
import { because, refuse } from '../refusals/refuse.ts';

/** A language whose own server refactors. What it proposes is shown to it once more, as it would be, before it is called free of errors. */
export function lspRefactorer(workspace: CodeWorkspace, profile: LspRefactoring): LanguageRefactorer {
  const by = new LspRefactorings(workspace, profile);
  const refused = (what: string): Promise<never> =>
    Promise.reject(refuse('notOfferedFor', { what, language: profile.language }));
  return {
    rename: (target, newName, _options, waiting) => by.rename(target, newName, waiting),
    extractMethod: (request, waiting) => by.extract(request, profile.extractMethod, undefined, waiting),
    extractVariable: (request, waiting) =>
      by.extract(request, profile.extractVariable, profile.extractVariable?.all, waiting),
    inline: (target, _options, waiting) => by.inline(target, waiting),
    safeDelete: (target, options, waiting) => by.safeDelete(target, options, waiting),
    moveSymbol: () => refused('Moving a symbol'),
    moveFile: (from, to, waiting) => by.moveFile(from, to, waiting),
    organizeImports: (path, waiting) => by.organizeImports(path, waiting),
    problems: (files, waiting) => by.problems(files, waiting),
    dispose: () => Promise.resolve(),
  };
}

class LspRefactorings {
  readonly #workspace: CodeWorkspace;
  readonly #profile: LspRefactoring;

  constructor(workspace: CodeWorkspace, profile: LspRefactoring) {
    this.#workspace = workspace;
    this.#profile = profile;
  }

  /** A server that reads other files from the disk only cannot be shown what they would become: it is asked when they have. */
  #tried(server: LanguageServer, proposed: Proposal, signal: AbortSignal | undefined): Promise<Proposal> {
    if (this.#profile.readsDisk === true) return Promise.resolve({ ...proposed, tryOnDisk: true });
    return tried(this.#workspace, server, proposed, signal);
  }

  async rename(target: RefactorTarget, newName: string, waiting: RefactorWaiting): Promise<Proposal> {
    if (newName === target.name) throw new ToolError('invalid_arguments', `It is called "${newName}" already.`);
    const server = await this.#ready(target.path, waiting);
    const params = {
      textDocument: { uri: pathToUri(target.path) },
      position: toWirePosition(target.position),
      newName,
    };
    const edit = await asRefusal(() =>
      server.request<WorkspaceEdit | null>('textDocument/rename', params, optionsOf(waiting)),
    );
    const operations = await this.#guarded(operationsOf(edit ?? {}));
    if (operations.length === 0) throw refuse('renameChangesNothing', { name: target.name });
    const places = operations.reduce((sum, one) => sum + (one.kind === 'edit' ? one.edits.length : 1), 0);
    const summary = `rename ${target.name} to ${newName}: ${counted(places, 'place')} in ${counted(operations.length, 'file')}`;
    const renamed = { from: target.name, to: newName };
    return this.#tried(server, proposal(summary, operations, { renamed }), waiting.signal);
  }

  async extract(
    { path, range, newName, all }: ExtractRequest,
    action: ExtractAction | undefined,
    allKind: string | undefined,
    waiting: RefactorWaiting,
  ): Promise<Proposal> {
    if (action === undefined) throw notThere('This extraction', this.#profile.language);
    const server = await this.#ready(path, waiting);
    const kinds = all === true && allKind !== undefined ? [allKind] : action.kinds;
    const edit = await editOfAction(server, path, range, kinds, waiting.signal, action.title);
    if (edit === undefined) throw refuse('cannotBeExtracted');
    const named = renamedMade(operationsOf(edit), action.madeName, newName);
    const operations = await this.#guarded(named);
    return this.#tried(server, proposal(`extract ${newName}`, operations), waiting.signal);
  }

  async inline(target: RefactorTarget, waiting: RefactorWaiting): Promise<Proposal> {
    const kinds = this.#profile.inline;
    if (kinds === undefined) throw notThere('Inlining', this.#profile.language);
    const server = await this.#ready(target.path, waiting);
    const { path, position } = await this.#useOf(server, target, waiting);
    const end = { line: position.line, column: position.column + target.name.length };
    const edit = await editOfAction(server, path, { start: position, end }, kinds, waiting.signal);
    if (edit === undefined) throw refuse('cannotBeInlined', { name: target.name });
    const leftOver = await this.#leftOver(target, waiting);
    const operations = await this.#guarded(withoutLine(operationsOf(edit), leftOver));
    const notes =
      leftOver !== undefined || this.#profile.inlinesWhole === true
        ? []
        : ['Only this use was replaced; the declaration stays.'];
    const where = `${displayPath(this.#workspace.project.root, path)}:${position.line}`;
    return this.#tried(server, proposal(`inline ${target.name} at ${where}`, operations, { notes }), waiting.signal);
  }

  /** The line of a declaration whose only use goes away, where the server leaves it and the compiler refuses it then. */
  async #leftOver(
    target: RefactorTarget,
    waiting: RefactorWaiting,
  ): Promise<{ path: string; line: number } | undefined> {
    if (this.#profile.unusedLine === undefined) return undefined;
    const { resolved, declarations } = await this.#references(target, waiting);
    const [declared] = declarations;
    const isDeclared = (path: string, { start }: Range) =>
      path === declared?.path && comparePositions(start, declared.range.start) === 0;
    const uses = resolved.filter(({ path, range }) => !isDeclared(path, range));
    if (declared === undefined || uses.length !== 1) return undefined;
    const { line } = declared.range.start;
    const text = (await this.#workspace.texts.get(declared.path)).lineText(line) ?? '';
    return this.#profile.unusedLine(text, target.name) ? { path: declared.path, line } : undefined;
  }

  async safeDelete(target: RefactorTarget, options: DeleteOptions, waiting: RefactorWaiting): Promise<Proposal> {
    const server = await this.#ready(target.path, waiting);
    const found = await this.#references(target, waiting);
    const declared = found.declarations[0] ?? { path: target.path, range: rangeOf(target) };
    const outline = await outlineOf(server, declared.path, waiting.signal);
    const symbol = symbolNamedAt(outline, declared.range.start);
    if (symbol === undefined) throw refuse('notTakenOutAlone', { name: target.name });
    const text = await this.#workspace.texts.get(declared.path);
    const why = this.#profile.undeletable?.(text.text, symbol.range.start.line);
    if (why !== undefined) throw refuse('cannotBeDeleted', { name: target.name, why });
    const lines = declarationLines(text, symbol, this.#profile);
    const uses = found.resolved.filter(({ path, range }) => !(path === declared.path && isWithin(lines, range)));
    if (uses.length > 0 && !options.force) throw await this.#stillUsed(target.name, uses);
    const asked = await askDefinition(server, 'textDocument/implementation', target, waiting.signal).catch(() => []);
    const [wanted] = symbol.kind === 'method' ? asked : [];
    const operations = await this.#withImports(server, declared.path, [{ range: lines, newText: '' }], waiting);
    const proposed = proposal(`delete ${target.name}`, operations, {
      conflicts:
        wanted === undefined
          ? []
          : [
              {
                kind: 'meaning',
                message: because('fitsAnotherType', { name: target.name }),
                file: wanted.path,
                line: wanted.range.start.line,
              },
            ],
      dependents: uses.map(({ path }) => path),
    });
    return this.#tried(server, proposed, waiting.signal);
  }

  async moveFile(from: string, to: string, waiting: RefactorWaiting): Promise<Proposal> {
    const { root } = this.#workspace.project;
    const summary = `move ${displayPath(root, from)} to ${displayPath(root, to)}`;
    if (this.#profile.serverMovesFiles === true) {
      const server = await this.#ready(from, waiting);
      const files = [{ oldUri: pathToUri(from), newUri: pathToUri(to) }];
      const edit = await asRefusal(() =>
        server.request<WorkspaceEdit | null>('workspace/willRenameFiles', { files }, optionsOf(waiting)),
      );
      const operations = await this.#guarded(operationsOf(edit ?? {}));
      return proposal(summary, [...operations, { kind: 'rename', from, to }]);
    }
    if (this.#profile.filesHaveNoName !== true || dirname(from) !== dirname(to))
      throw refuse('otherPackage', { language: this.#profile.language });
    return proposal(summary, [{ kind: 'rename', from, to }]);
  }

  async organizeImports(path: string, waiting: RefactorWaiting): Promise<string> {
    const server = await this.#ready(path, waiting);
    return this.#organized(server, path, await this.#workspace.texts.get(path), waiting);
  }

  async problems(files: readonly string[], waiting: RefactorWaiting) {
    const own = files.filter((file) => this.#profile.extensions.some((extension) => file.endsWith(extension)));
    const [first] = own;
    if (first === undefined) return [];
    await this.#workspace.sync();
    const server = await this.#workspace.requireServer(first);
    if (this.#profile.readsDisk === true) {
      // What is open is judged by the headers of the time when it was opened. Closed while it is being read, clangd never answers about it again.
      await errorsOf(this.#workspace, server, own, waiting.signal);
      for (const file of own) server.documents.close(file);
    }
    return errorsOf(this.#workspace, server, own, waiting.signal);
  }

  async #ready(path: string, waiting: RefactorWaiting): Promise<LanguageServer> {
    const server = await this.#workspace.requireServer(path);
    await server.documents.open(path);
    const state = await server.waitUntilReady(waiting.signal === undefined ? {} : { signal: waiting.signal });
    if (state.state === 'ready') return server;
    if (waiting.onIncomplete === undefined) throw indexNotReady(state);
    waiting.onIncomplete(state);
    return server;
  }

  #references(target: RefactorTarget, { signal }: RefactorWaiting): Promise<LocatedReferences> {
    const wanted = { ...target, range: rangeOf(target), notes: [] };
    return locateReferences(this.#workspace, wanted, signal === undefined ? {} : { signal });
  }

  /** What is pointed at, when it is a use; the only use of a declaration. */
  async #useOf(
    server: LanguageServer,
    target: RefactorTarget,
    waiting: RefactorWaiting,
  ): Promise<Pick<RefactorTarget, 'path' | 'position'>> {
    const outline = await outlineOf(server, target.path, waiting.signal);
    if (symbolNamedAt(outline, target.position) === undefined) return target;
    const { resolved, declarations } = await this.#references(target, waiting);
    const uses = resolved.filter(({ path, range }) =>
      declarations.every(
        (one) =>
          one.path !== path ||
          one.range.start.line !== range.start.line ||
          one.range.start.column !== range.start.column,
      ),
    );
    const [only] = uses;
    if (uses.length === 1 && only !== undefined) return { path: only.path, position: only.range.start };
    throw refuse('oneUseAtATime', { name: target.name, uses: counted(uses.length, 'use') });
  }

  /** Edits with what must stand where they are made, so that a file that changed meanwhile is noticed. */
  async #guarded(operations: readonly FileOperation[]): Promise<FileOperation[]> {
    return Promise.all(
      operations.map(async (operation) => {
        if (operation.kind !== 'edit') return operation;
        const text = await this.#workspace.texts.get(operation.path);
        const edits = operation.edits.map((edit) => ({
          ...edit,
          oldText: text.text.slice(text.offsetAt(edit.range.start), text.offsetAt(edit.range.end)),
        }));
        return { ...operation, edits };
      }),
    );
  }

  /** The file after the edits, without the imports that only what went away needed. */
  async #withImports(
    server: LanguageServer,
    path: string,
    edits: Extract<FileOperation, { kind: 'edit' }>['edits'],
    waiting: RefactorWaiting,
  ): Promise<FileOperation[]> {
    const before = await this.#workspace.texts.get(path);
    const texts = await editedTexts(this.#workspace, [{ kind: 'edit', path, edits }]);
    const changed = texts?.get(path) ?? before;
    const text = await server.documents.withTexts(new Map([[path, changed]]), () =>
      this.#organized(server, path, changed, waiting),
    );
    if (text === changed.text) return this.#guarded([{ kind: 'edit', path, edits }]);
    const whole = { start: { line: 1, column: 1 }, end: before.positionAt(before.text.length) };
    return this.#guarded([{ kind: 'edit', path, edits: [{ range: whole, newText: text }] }]);
  }

  async #organized(
    server: LanguageServer,
    path: string,
    text: LineIndex,
    { signal }: RefactorWaiting,
  ): Promise<string> {
    const whole = { start: { line: 1, column: 1 }, end: text.positionAt(text.text.length) };
    const edit = await editOfAction(server, path, whole, ['source.organizeImports'], signal).catch(() => undefined);
    const own = operationsOf(edit ?? {}).flatMap((one) => (one.kind === 'edit' && one.path === path ? one.edits : []));
    return applyTextEdits(text.text, own, path);
  }

  async #stillUsed(name: string, uses: LocatedReferences['resolved']): Promise<ToolError> {
    const { root } = this.#workspace.project;
    const usages = await Promise.all(
      uses.map(async ({ path, range }) => ({
        file: displayPath(root, path),
        line: range.start.line,
        column: range.start.column,
        kind: 'use' as const,
        context: ((await this.#workspace.texts.tryGet(path))?.lineText(range.start.line) ?? '').trim(),
      })),
    );
    return stillUsed(name, usages, undefined);
  }
}

/** Replaces the name that the server made up by the wanted one, wherever the edits write it. */
function renamedMade(operations: readonly FileOperation[], made: RegExp, newName: string): FileOperation[] {
  const texts = operations.flatMap((one) => (one.kind === 'edit' ? one.edits.map(({ newText }) => newText) : []));
  const name = made.exec(texts.join('\n'))?.[0];
  if (name === undefined) return [...operations];
  const word = new RegExp(`\\b${name}\\b`, 'g');
  return operations.map((one) =>
    one.kind === 'edit'
      ? { ...one, edits: one.edits.map((edit) => ({ ...edit, newText: edit.newText.replace(word, newName) })) }
      : one,
  );
}

/** The operations, and the line goes away. */
function withoutLine(
  operations: readonly FileOperation[],
  leftOver: { path: string; line: number } | undefined,
): FileOperation[] {
  if (leftOver === undefined) return [...operations];
  const { path, line } = leftOver;
  const removal = { range: { start: { line, column: 1 }, end: { line: line + 1, column: 1 } }, newText: '' };
  return operations.map((one) =>
    one.kind === 'edit' && one.path === path ? { ...one, edits: [removal, ...one.edits] } : one,
  );
}

function rangeOf({ position, name }: RefactorTarget) {
  return { start: position, end: { line: position.line, column: position.column + name.length } };
}

function optionsOf({ signal }: RefactorWaiting): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function notThere(what: string, language: string): ToolError {
  return refuse('notOfferedFor', { what, language });
}
