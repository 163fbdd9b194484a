import { existsSync } from 'node:fs';
import type { CodeAction, Command, Diagnostic } from 'vscode-languageserver-protocol';
import { advise, step } from '../../../base/text/advice.ts';
import { ToolError } from '../../../base/errors.ts';
import { pathToUri } from '../../../base/paths.ts';
import { comparePositions, type Position, type Range } from '../../../base/positions.ts';
import { toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { FileOperation } from '../../workspace/edits/operations.ts';
import type { CodeWorkspace } from '../codeWorkspace.ts';
import type { LanguageServer } from '../languageServer.ts';
import type { Waiting } from '../model.ts';
import { compareProblems, type CheckedProblem } from '../refactor/model.ts';
import type { ProblemDelta } from '../refactor/problemDelta.ts';
import { operationsOf } from '../workspaceEdit.ts';
import type { KnownProblem, Problem } from './problem.ts';
import type { ProblemStore } from './problemStore.ts';

interface QuickFix {
  /** `<problem id>/<number>`, or `source/<kind>` for what concerns the whole file. */
  id: string;
  title: string;
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
  const all = await store.ofFile(at.path, waiting);
  const problems = all.filter(({ problem }) => {
    if (at.problemId !== undefined) return problem.id === at.problemId;
    if (at.position === undefined) return true;
    return problem.range.start.line <= at.position.line && at.position.line <= problem.range.end.line;
  });
  const fixes = await Promise.all(problems.map((known) => fixesOf(workspace, known, waiting.signal)));
  return problems.flatMap(({ problem }, at) =>
    (fixes[at] ?? []).map(({ title, preferred, disabled }, index) => ({
      id: `${problem.id}/${index + 1}`,
      title,
      problem,
      preferred,
      disabled,
    })),
  );
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
      hint: advise`${step('ideListQuickFixes')} shows what can be fixed now.`,
    });
  const fixes = await fixesOf(workspace, current, waiting.signal);
  const fix = fixes[Number(number) - 1];
  const { source, code = 'this problem' } = current.problem;
  if (fix === undefined && fixes.length === 0)
    throw new ToolError('refactoring_not_available', `${source} has no fix for ${code}: it must be changed by hand.`);
  if (fix === undefined)
    throw new ToolError('invalid_arguments', `There is no fix ${fixId}; there are ${fixes.length} for this problem.`, {
      hint: advise`${step('ideListQuickFixes')} shows what can be fixed now.`,
    });
  if (fix.disabled !== undefined)
    throw new ToolError('refactoring_not_available', `"${fix.title}" cannot be applied: ${fix.disabled}`);
  if (scope === 'problem') return { operations: await fix.edits(), title: fix.title, fixed: 1, skipped: 0 };
  return fixAll(workspace, await sameKind(store, current, scope, waiting), fix, waiting);
}

/** Carries out `apply`, which changes these files, and tells which errors of them came and went with it. */
export async function errorsAround<T>(
  workspace: CodeWorkspace,
  files: readonly string[],
  waiting: Waiting,
  apply: () => Promise<T>,
): Promise<{ applied: T; delta: ProblemDelta; remaining: number }> {
  const errors = async (wanted: readonly string[]): Promise<CheckedProblem[]> => {
    const paths = wanted.filter((path) => existsSync(path));
    if (paths.length === 0) return [];
    await workspace.sync();
    const { problems } = await workspace.problems.report({ files: paths }, waiting);
    return problems
      .filter(({ severity }) => severity === 'error')
      .map(({ path, range, message, code = '' }) => ({ file: path, ...range.start, message, code }));
  };
  const before = await errors(files);
  const applied = await apply();
  const after = await errors(files);
  return { applied, delta: compareProblems(before, after), remaining: after.length };
}

/** Every problem of one kind, as the report that was just made knows them. */
async function sameKind(
  store: ProblemStore,
  { problem: { path, code, source } }: KnownProblem,
  scope: 'file' | 'project',
  waiting: Waiting,
): Promise<KnownProblem[]> {
  const { problems } = await store.report({ files: scope === 'file' ? [path] : [] }, waiting);
  return problems
    .filter((problem) => problem.code === code && problem.source === source)
    .map((problem) => store.known(problem.id));
}

/** One fix after the other, each by its own edits; one that would touch text another already changes is left for the next round. */
async function fixAll(
  workspace: CodeWorkspace,
  problems: readonly KnownProblem[],
  model: Fix,
  waiting: Waiting,
): Promise<{ operations: FileOperation[]; title: string; fixed: number; skipped: number }> {
  const operations: FileOperation[] = [];
  const whole = new Set<string>();
  const given = new Set<string>();
  let fixed = 0;
  let skipped = 0;
  const offered = await Promise.all(problems.map((known) => fixesOf(workspace, known, waiting.signal)));
  for (const [at, known] of problems.entries()) {
    const { path } = known.problem;
    if (whole.has(path)) {
      fixed++;
      continue;
    }
    const same = offered[at]?.find(({ title }) => shape(title) === shape(model.title));
    const edits = same === undefined ? undefined : await same.edits();
    // One import mends every use of what it brings.
    if (edits !== undefined && given.has(JSON.stringify(edits))) {
      fixed++;
      continue;
    }
    if (edits === undefined || edits.some((edit) => collides(edit, operations))) {
      skipped++;
      continue;
    }
    operations.push(...edits);
    given.add(JSON.stringify(edits));
    if (same?.wholeFile === true) whole.add(path);
    fixed++;
  }
  return { operations: merged(operations), title: model.title, fixed, skipped };
}

/** A way to fix a problem, whoever offers it. */
interface Fix {
  title: string;
  preferred: boolean;
  disabled?: string;
  /** It fixes all problems of the kind in the file at once. */
  wholeFile?: boolean;
  edits: () => Promise<FileOperation[]>;
}

async function fixesOf(workspace: CodeWorkspace, known: KnownProblem, signal: AbortSignal | undefined): Promise<Fix[]> {
  const { path } = known.problem;
  if (known.lintFixes !== undefined)
    return (await known.lintFixes()).map((fix) => ({
      title: fix.title,
      preferred: fix.safe,
      ...(fix.disabled === undefined ? {} : { disabled: fix.disabled }),
      wholeFile: fix.wholeFile === true,
      edits: async () => [{ kind: 'edit', path, edits: await fix.edits() }],
    }));
  const server = await workspace.serverFor(path);
  if (server === undefined) return [];
  await server.documents.open(path);
  const [actions, others] = await Promise.all([
    actionsFor(server, known, signal),
    otherFixes(workspace, server, known, signal),
  ]);
  // Where both know the same fix, the older engine has the surer hand.
  const own = actions.map((action) => ({
    title: action.title,
    preferred: action.isPreferred ?? false,
    ...(action.disabled === undefined ? {} : { disabled: action.disabled.reason }),
    edits: others.find(({ title }) => title === action.title)?.edits ?? (() => editsOf(server, action, signal)),
  }));
  return [...own, ...others.filter(({ title }) => own.every((one) => one.title !== title))];
}

/** What another engine offers for the same problem. */
async function otherFixes(
  workspace: CodeWorkspace,
  server: LanguageServer,
  { problem: { path, range, code } }: KnownProblem,
  signal: AbortSignal | undefined,
): Promise<Fix[]> {
  const offered = (await workspace.fixesOf(server.definition)?.fixesFor(path, range, code, signal)) ?? [];
  return offered.map(({ title, operations }) => ({
    title,
    preferred: false,
    edits: () => Promise.resolve(operations),
  }));
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
        other.edits.some((a) => operation.edits.some((b) => overlap(a.range, b.range)))),
  );
}

/** Edits that only touch (two lines removed one after the other) go together; two insertions at one place have no order. */
function overlap(a: Range, b: Range): boolean {
  if (comparePositions(a.start, b.start) === 0) return true;
  return comparePositions(a.start, b.end) < 0 && comparePositions(b.start, a.end) < 0;
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

async function actionsFor(
  server: LanguageServer,
  known: KnownProblem,
  signal: AbortSignal | undefined,
): Promise<CodeAction[]> {
  const { problem, wire } = known;
  if (wire === undefined) return [];
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
  server: LanguageServer,
  action: CodeAction,
  signal: AbortSignal | undefined,
): Promise<FileOperation[]> {
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
