import { LineIndex } from '../../../../base/positions.ts';
import type { FileOperation } from '../../../workspace/edits/operations.ts';
import { applyTextEdits } from '../../../workspace/edits/text/textEdits.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { askDiagnostics } from '../../problems/problemStore.ts';
import { compareProblems, sameTextFor, type CheckedProblem, type Conflict, type Proposal } from '../model.ts';

/** The files with the edits in them, in memory; undefined when more than texts change. */
export async function editedTexts(
  workspace: CodeWorkspace,
  operations: readonly FileOperation[],
): Promise<Map<string, LineIndex> | undefined> {
  const texts = new Map<string, LineIndex>();
  for (const operation of operations) {
    if (operation.kind !== 'edit') return undefined;
    const { text } = texts.get(operation.path) ?? (await workspace.texts.get(operation.path));
    texts.set(operation.path, new LineIndex(applyTextEdits(text, operation.edits, operation.path)));
  }
  return texts;
}

/** Shows the server what the files would become. Errors that appear are conflicts. */
export async function tried(
  workspace: CodeWorkspace,
  server: LanguageServer,
  proposed: Proposal,
  signal: AbortSignal | undefined,
): Promise<Proposal> {
  const texts = await editedTexts(workspace, proposed.operations);
  if (texts === undefined) return { ...proposed, tryOnDisk: true };
  const paths = [...new Set([...texts.keys(), ...proposed.dependents])];
  const before = await errorsOf(workspace, server, paths, signal);
  const after = await server.documents.withTexts(texts, () => errorsOf(workspace, server, paths, signal, texts));
  const { appeared } = compareProblems(before, after, sameTextFor(proposed.renamed));
  const conflicts = appeared.map(({ file, line, column, message }): Conflict => ({
    kind: 'error',
    message,
    file,
    line,
    column,
  }));
  return { ...proposed, tried: { before, after }, conflicts: [...proposed.conflicts, ...conflicts] };
}

export async function errorsOf(
  workspace: CodeWorkspace,
  server: LanguageServer,
  paths: readonly string[],
  signal: AbortSignal | undefined,
  shown: ReadonlyMap<string, LineIndex> = new Map(),
): Promise<CheckedProblem[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      if (!shown.has(path) && (await workspace.texts.tryGet(path)) === undefined) return [];
      const diagnostics = await askDiagnostics(server, path, signal, shown.has(path));
      return diagnostics
        .filter(({ severity }) => severity === 1)
        .map(({ range, message, code }) => ({
          file: path,
          line: range.start.line + 1,
          column: range.start.character + 1,
          message: typeof message === 'string' ? message : message.value,
          code: String(code ?? ''),
        }));
    }),
  );
  return found.flat();
}
