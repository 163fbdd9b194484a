import type { CodeAction, Command, Diagnostic } from 'vscode-languageserver-protocol';
import { ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import type { Position } from '../../../base/positions.ts';
import { toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import type { Waiting } from '../model.ts';
import { operationsOf } from '../workspaceEdit.ts';
import type { KnownProblem, Problem } from './problem.ts';
import type { ProblemStore } from './problemStore.ts';

export interface QuickFix {
  /** `<problem id>/<number>`, or `source/<kind>` for what concerns the whole file. */
  id: string;
  title: string;
  kind: string;
  problem?: Problem;
  preferred: boolean;
  /** Why it cannot be applied now. */
  disabled?: string;
}

/** The fixes for the problems at a place, for one problem, or for a whole file. */
export async function listQuickFixes(
  workspace: CodeWorkspace,
  store: ProblemStore,
  at: { path: string; position?: Position; problemId?: string },
  waiting: Waiting,
): Promise<QuickFix[]> {
  const server = await openedServer(workspace, at.path);
  const all = await store.ofFile(at.path, waiting);
  const problems = all.filter(({ problem }) => {
    if (at.problemId !== undefined) return problem.id === at.problemId;
    if (at.position === undefined) return true;
    return problem.range.start.line <= at.position.line && at.position.line <= problem.range.end.line;
  });
  const fixes: QuickFix[] = [];
  for (const known of problems) {
    const actions = await actionsFor(server, known, waiting.signal);
    for (const [index, action] of actions.entries()) {
      fixes.push({
        id: `${known.problem.id}/${index + 1}`,
        title: action.title,
        kind: action.kind ?? 'quickfix',
        problem: known.problem,
        preferred: action.isPreferred ?? false,
        ...(action.disabled === undefined ? {} : { disabled: action.disabled.reason }),
      });
    }
  }
  return fixes;
}

/** The edits of a fix, for one problem or for all of its kind. Nothing is written. */
export async function quickFixOperations(
  workspace: CodeWorkspace,
  store: ProblemStore,
  fixId: string,
  scope: 'problem' | 'file' | 'project',
  waiting: Waiting,
): Promise<{ operations: FileOperation[]; title: string; fixed: number; skipped: number }> {
  const [problemId = '', number = '1'] = fixId.split('/');
  await workspace.sync();
  const stored = store.known(problemId);
  const current = (await store.ofFile(stored.problem.path, waiting)).find(({ problem }) => problem.id === problemId);
  if (current === undefined)
    throw new ToolError('file_changed', `The problem ${problemId} is not there any more.`, {
      hint: 'ide_list_quick_fixes shows what can be fixed now.',
    });
  const server = await openedServer(workspace, current.problem.path);
  const action = (await actionsFor(server, current, waiting.signal))[Number(number) - 1];
  if (action === undefined) throw new ToolError('invalid_arguments', `There is no fix ${fixId} any more.`);
  if (action.disabled !== undefined)
    throw new ToolError('refactoring_not_available', `"${action.title}" cannot be applied: ${action.disabled.reason}`);
  if (scope === 'problem')
    return { operations: await editsOf(server, action, waiting.signal), title: action.title, fixed: 1, skipped: 0 };
  const alike = await sameKind(workspace, store, current, scope, waiting);
  return fixAll(server, alike, action, waiting);
}

/** A linter's fixes need no server. */
async function openedServer(workspace: CodeWorkspace, path: string): Promise<LanguageServer | undefined> {
  const server = await workspace.serverFor(path);
  await server?.documents.open(path);
  return server;
}

async function sameKind(
  workspace: CodeWorkspace,
  store: ProblemStore,
  model: KnownProblem,
  scope: 'file' | 'project',
  waiting: Waiting,
): Promise<KnownProblem[]> {
  const paths =
    scope === 'file'
      ? [model.problem.path]
      : [
          ...new Set(
            (await store.report({ files: [] }, waiting)).problems
              .filter((problem) => problem.code === model.problem.code && problem.source === model.problem.source)
              .map((problem) => problem.path),
          ),
        ].filter((path) => workspace.definitionFor(path)?.id === workspace.definitionFor(model.problem.path)?.id);
  const found: KnownProblem[] = [];
  for (const path of paths)
    found.push(...(await store.ofFile(path, waiting)).filter(({ problem }) => problem.code === model.problem.code));
  return found;
}

/** One fix after the other, each by its own edits; one that would touch text another already changes is left for the next round. */
async function fixAll(
  server: LanguageServer | undefined,
  problems: readonly KnownProblem[],
  model: FixAction,
  waiting: Waiting,
): Promise<{ operations: FileOperation[]; title: string; fixed: number; skipped: number }> {
  const operations: FileOperation[] = [];
  let fixed = 0;
  let skipped = 0;
  for (const known of problems) {
    await server?.documents.open(known.problem.path);
    const actions = await actionsFor(server, known, waiting.signal);
    const same = actions.find((action) => shape(action.title) === shape(model.title));
    const edits = same === undefined ? undefined : await editsOf(server, same, waiting.signal);
    if (edits === undefined || edits.some((edit) => collides(edit, operations))) {
      skipped++;
      continue;
    }
    operations.push(...edits);
    fixed++;
  }
  return { operations: merged(operations), title: model.title, fixed, skipped };
}

/** The title without the names in it: "Remove unused declaration for: 'x'" is the same fix for every x. */
function shape(title: string): string {
  return title.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…');
}

function collides(operation: FileOperation, others: readonly FileOperation[]): boolean {
  if (operation.kind !== 'edit') return others.length > 0;
  return others.some(
    (other) =>
      other.kind !== 'edit' ||
      (other.path === operation.path &&
        other.edits.some((a) =>
          operation.edits.some((b) => before(a.range.start, b.range.end) && before(b.range.start, a.range.end)),
        )),
  );
}

function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column <= b.column);
}

/** Operations on one file become one: each sees the text as it was when the edits were computed. */
function merged(operations: readonly FileOperation[]): FileOperation[] {
  const byPath = new Map<string, FileOperation & { kind: 'edit' }>();
  const others: FileOperation[] = [];
  for (const operation of operations) {
    if (operation.kind !== 'edit') others.push(operation);
    else {
      const known = byPath.get(operation.path);
      byPath.set(operation.path, { ...operation, edits: [...(known?.edits ?? []), ...operation.edits] });
    }
  }
  return [...others, ...byPath.values()];
}

/** A server's action, or a linter's fix with its operations at hand. */
type FixAction = CodeAction & { operations?: FileOperation[] };

async function actionsFor(
  server: LanguageServer | undefined,
  known: KnownProblem,
  signal: AbortSignal | undefined,
): Promise<FixAction[]> {
  const { problem, wire, fix } = known;
  if (fix !== undefined)
    return [{ title: fix.title, operations: [{ kind: 'edit', path: problem.path, edits: fix.edits }] }];
  if (wire === undefined || server === undefined) return [];
  const diagnostics: Diagnostic[] = [wire];
  const answer = await server.request<(CodeAction | Command)[] | null>(
    'textDocument/codeAction',
    {
      textDocument: { uri: pathToUri(problem.path) },
      range: { start: toWirePosition(problem.range.start), end: toWirePosition(problem.range.end) },
      context: { diagnostics, only: ['quickfix'], triggerKind: 1 },
    },
    signal === undefined ? {} : { signal },
  );
  // Older servers answer with bare commands.
  return (answer ?? []).map((item) => (isCommand(item) ? { title: item.title, command: item } : item));
}

function isCommand(item: CodeAction | Command): item is Command {
  return typeof item.command === 'string';
}

async function editsOf(
  server: LanguageServer | undefined,
  action: FixAction,
  signal: AbortSignal | undefined,
): Promise<FileOperation[]> {
  if (action.operations !== undefined) return action.operations;
  if (server === undefined) throw new ToolError('engine_failed', `There is no server to ask for "${action.title}".`);
  const options = signal === undefined ? {} : { signal };
  const resolved =
    action.edit === undefined &&
    (action.command === undefined || action.data !== undefined) &&
    server.client.offers('codeActionProvider', 'textDocument/codeAction')
      ? await server.request<CodeAction>('codeAction/resolve', action, options)
      : action;
  if (resolved.edit !== undefined) return operationsOf(resolved.edit);
  const { command } = resolved;
  if (command === undefined)
    throw new ToolError('engine_failed', `The server offers "${action.title}" but gives no edit for it.`);
  // The edit arrives as a request of the server while it carries out the command.
  const collected: FileOperation[] = [];
  await server.client.whileApplyingEdits(
    async (params) => {
      collected.push(...operationsOf(params.edit));
      return { applied: true };
    },
    () =>
      server.request('workspace/executeCommand', { command: command.command, arguments: command.arguments }, options),
  );
  return collected;
}
