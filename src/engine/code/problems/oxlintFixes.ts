import type { CodeAction } from 'vscode-languageserver-protocol';
import { errorMessage } from '../../../base/errors.ts';
import { silentLogger } from '../../../base/logger.ts';
import { pathToUri } from '../../../base/paths.ts';
import { comparePositions, type LineIndex, type Range } from '../../../base/positions.ts';
import { childEnvironment, ManagedProcess } from '../../../base/processes.ts';
import { RpcConnection } from '../../../protocol/jsonrpc/connection.ts';
import { LspClient } from '../../../protocol/lsp/client.ts';
import { toWirePosition } from '../../../protocol/lsp/convert.ts';
import type { Project } from '../../workspace/project.ts';
import { operationsOf } from '../workspaceEdit.ts';
import type { LintFix, Problem } from './problem.ts';

const timeoutMs = 30_000;

/**
 * The fixes of oxlint, whose report does not hold them: it tells them only as a language server. Files that are asked about together
 * (all problems of a kind in the project) are asked of one process.
 */
export class OxlintFixes {
  readonly #project: Project;
  readonly #program: string;
  #waiting: Map<string, LineIndex> | undefined;
  #answer: Promise<ReadonlyMap<string, OfferedGroup[]>> | undefined;

  constructor(project: Project, program: string) {
    this.#project = project;
    this.#program = program;
  }

  async of({ path, range, code = '' }: Pick<Problem, 'path' | 'range' | 'code'>, text: LineIndex): Promise<LintFix[]> {
    try {
      return fixesAt((await this.#ask(path, text)).get(path) ?? [], ruleOf(code), range);
    } catch (error) {
      const disabled = `oxlint does not tell its fixes (${errorMessage(error)}); versions that know --lsp do`;
      return [{ title: `Fix ${code}`, safe: false, disabled, edits: () => Promise.resolve([]) }];
    }
  }

  #ask(path: string, text: LineIndex): Promise<ReadonlyMap<string, OfferedGroup[]>> {
    const waiting = this.#waiting ?? new Map<string, LineIndex>();
    this.#waiting = waiting.set(path, text);
    this.#answer ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#waiting = undefined;
      this.#answer = undefined;
      return askServer(this.#project, this.#program, waiting);
    });
    return this.#answer;
  }
}

/** What oxlint offers for one problem: first its fixes, then ways to silence it, which are none. */
interface OfferedGroup {
  rule: string;
  line: number;
  fixes: { title: string; safe: boolean; edits: { range: Range; newText: string }[] }[];
}

/** The actions come in the order of the problems, those of each closed by the ways to silence it, which name rule and line. */
function groupsOf(actions: readonly CodeAction[]): OfferedGroup[] {
  const groups: OfferedGroup[] = [];
  let fixes: OfferedGroup['fixes'] = [];
  for (const { title, isPreferred = false, edit } of actions) {
    const operations = edit === undefined ? [] : operationsOf(edit);
    const edits = operations.flatMap((operation) => (operation.kind === 'edit' ? operation.edits : []));
    const [, rule, where] = /^Disable (\S+) for this (line|whole file)$/.exec(title) ?? [];
    if (rule === undefined) fixes.push({ title, safe: isPreferred, edits });
    else if (where === 'line') {
      groups.push({ rule: ruleOf(rule), line: edits[0]?.range.start.line ?? 0, fixes });
      fixes = [];
    }
  }
  return groups;
}

function fixesAt(groups: readonly OfferedGroup[], rule: string, range: Range): LintFix[] {
  const onLine = groups.filter((group) => group.rule === rule && group.line === range.start.line);
  const here = onLine.filter(({ fixes }) =>
    fixes.some(({ edits }) => edits.some((edit) => touches(edit.range, range))),
  );
  const [group] = onLine.length > 1 ? here : onLine;
  return (group?.fixes ?? []).map(({ title, safe, edits }) => ({ title, safe, edits: () => Promise.resolve(edits) }));
}

async function askServer(
  project: Project,
  program: string,
  texts: ReadonlyMap<string, LineIndex>,
): Promise<ReadonlyMap<string, OfferedGroup[]>> {
  const child = await ManagedProcess.start({
    name: 'oxlint',
    command: program,
    args: ['--lsp'],
    cwd: project.root,
    env: childEnvironment(project.env),
  });
  try {
    const connection = new RpcConnection({
      name: 'oxlint',
      input: child.stdout,
      output: child.stdin,
      logger: silentLogger,
      logTail: () => child.stderrTail,
    });
    const options = { run: 'onType', fixKind: 'safe_fix_or_suggestion' };
    const client = await LspClient.initialize(connection, {
      root: project.root,
      initializationOptions: [{ workspaceUri: pathToUri(project.root), options }],
      configuration: () => options,
      initializeTimeoutMs: timeoutMs,
      logger: silentLogger,
    });
    const found = new Map<string, OfferedGroup[]>();
    for (const [path, text] of texts) {
      const uri = pathToUri(path);
      client.notify('textDocument/didOpen', {
        textDocument: { uri, languageId: 'plaintext', version: 1, text: text.text },
      });
      // A server whose client may ask for problems only looks for them when it is asked.
      if (client.offers('diagnosticProvider', 'textDocument/diagnostic'))
        await client.request('textDocument/diagnostic', { textDocument: { uri } }, { timeoutMs });
      const end = toWirePosition(text.positionAt(text.text.length));
      const actions = await client.request<CodeAction[] | null>(
        'textDocument/codeAction',
        {
          textDocument: { uri },
          range: { start: { line: 0, character: 0 }, end },
          context: { diagnostics: [], only: ['quickfix'] },
        },
        { timeoutMs },
      );
      found.set(path, groupsOf(actions ?? []));
    }
    return found;
  } finally {
    await child.kill(0);
  }
}

/** `eslint(no-debugger)`, `typescript/no-explicit-any`: the name of the rule alone. */
function ruleOf(code: string): string {
  return /([^/(]+?)\)?$/.exec(code)?.[1] ?? code;
}

function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
