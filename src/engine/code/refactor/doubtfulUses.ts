import { advise, step } from '../../../base/text/advice.ts';
import { isTypescriptFile } from '../../../base/languages/byPath.ts';
import { counted } from '../../../base/text/counted.ts';
import { ToolError } from '../../../base/errors.ts';
import { comparePositions } from '../../../base/positions.ts';
import type { FileRange } from '../../../protocol/lsp/convert.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import { extensionOf } from '../languageServer.ts';
import { locateReferences, type LocatedReferences } from '../queries/requests/locateReferences.ts';
import { wordRole } from '../syntax/mentions.ts';
import type { Doubt } from '../uses/accounting.ts';
import type { Conflict, LanguageRefactorer, Proposal, RefactorTarget, RefactorWaiting } from './model.ts';
import { because, type Reason } from './refusals/refuse.ts';

/**
 * What takes a declaration away is refused where something may still need it. The uses are those that references tell, found in the
 * same way: what the language's own engine overlooked, and what nobody can resolve.
 */
export function refusingDoubts(refactorer: LanguageRefactorer, workspace: CodeWorkspace): LanguageRefactorer {
  return {
    ...refactorer,
    inline: async (target, options, waiting) => {
      const proposed = await refactorer.inline(target, options, waiting);
      return options.all ? withDoubts(workspace, target, proposed, { uses: false }, waiting) : proposed;
    },
    safeDelete: async (target, options, waiting) => {
      const proposed = await refactorer.safeDelete(target, options, waiting);
      return options.force ? proposed : withDoubts(workspace, target, proposed, { uses: true }, waiting);
    },
  };
}

async function withDoubts(
  workspace: CodeWorkspace,
  target: RefactorTarget,
  proposed: Proposal,
  wanted: { uses: boolean },
  waiting: RefactorWaiting,
): Promise<Proposal> {
  const found = await usesOf(workspace, target, waiting);
  if (found === undefined) return proposed;
  const conflicts: Conflict[] = [];
  const left = new Leftovers(workspace, proposed.operations);
  // Whoever keeps the declaration takes nothing from anybody.
  const [declared] = found.declarations;
  if (!wanted.uses && declared !== undefined && (await left.has(declared))) return proposed;
  // What stands in the same file the language's own engine has seen.
  for (const place of wanted.uses ? found.resolved.filter(({ path }) => path !== target.path) : [])
    if ((await isCode(workspace, place, target.name)) && (await left.has(place)))
      conflicts.push(conflictAt(place, because('stillUsedHere', { name: target.name })));
  for (const place of found.possible) {
    // What a TypeScript file makes of objects without a name, its checker knows.
    if (place.doubt === 'loose' && isTypescriptFile(place.path)) continue;
    if (await left.has(place))
      conflicts.push(conflictAt(place, because('mayBeTheOne', { name: target.name, doubt: doubtTexts[place.doubt] })));
  }
  if (found.unchecked > 0)
    conflicts.push({
      kind: 'usage',
      message: because('notLookedAt', { places: counted(found.unchecked, 'place'), name: target.name }),
    });
  return conflicts.length === 0 ? proposed : { ...proposed, conflicts: [...proposed.conflicts, ...conflicts] };
}

const doubtTexts: Record<Doubt, string> = {
  unresolved: because('doubtUnresolved'),
  loose: because('doubtLoose'),
  base: because('doubtBase'),
  library: because('doubtLibrary'),
  unread: because('doubtUnread'),
};

function conflictAt({ path, range }: FileRange, message: Reason): Conflict {
  const hint = advise`${step('ideFindReferences')} lists the uses and what may be one. Remove them first; force: true goes on nevertheless.`;
  return { kind: 'usage', message, hint, file: path, line: range.start.line, column: range.start.column };
}

async function usesOf(
  workspace: CodeWorkspace,
  { path, name, position }: RefactorTarget,
  { signal }: RefactorWaiting,
): Promise<LocatedReferences | undefined> {
  const end = { line: position.line, column: position.column + name.length };
  try {
    await workspace.sync();
    const target = { path, name, position, range: { start: position, end }, notes: [] };
    return await locateReferences(workspace, target, signal === undefined ? {} : { signal });
  } catch (error) {
    // What the server knows nothing of, the language's own engine has decided alone. The same when there is no server.
    if (error instanceof ToolError && /^(?:symbol_not_found|engine_missing|unsupported)$/.test(error.code))
      return undefined;
    throw error;
  }
}

async function isCode(workspace: CodeWorkspace, { path, range }: FileRange, name: string): Promise<boolean> {
  const text = await workspace.texts.tryGet(path);
  return text !== undefined && wordRole(extensionOf(path), text, range.start, name) === 'name';
}

/** What is still there after a change. */
class Leftovers {
  readonly #workspace: CodeWorkspace;
  readonly #operations: ReadonlyMap<string, FileOperation>;

  constructor(workspace: CodeWorkspace, operations: readonly FileOperation[]) {
    this.#workspace = workspace;
    this.#operations = new Map(operations.map((one) => [one.kind === 'rename' ? one.from : one.path, one]));
  }

  async has({ path, range }: FileRange): Promise<boolean> {
    const operation = this.#operations.get(path);
    if (operation === undefined || operation.kind === 'rename') return true;
    if (operation.kind === 'delete') return false;
    if (operation.kind === 'edit')
      return !operation.edits.some(
        (edit) =>
          comparePositions(edit.range.start, range.start) <= 0 && comparePositions(range.end, edit.range.end) <= 0,
      );
    // A file that is written anew: the line is gone when there are fewer like it.
    const before = (await this.#workspace.texts.tryGet(path))?.text.split(/\r?\n/) ?? [];
    const line = before[range.start.line - 1] ?? '';
    const after = (typeof operation.content === 'string' ? operation.content : '').split(/\r?\n/);
    const count = (lines: readonly string[]): number => lines.filter((one) => one === line).length;
    return count(after) >= count(before);
  }
}
