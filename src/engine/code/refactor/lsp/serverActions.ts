import type { CodeAction, Command, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { PeerError } from '../../../../base/errors.ts';
import { pathToUri } from '../../../../base/paths.ts';
import type { Range } from '../../../../base/positions.ts';
import { toWirePosition } from '../../../../protocol/lsp/convert.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { refuse } from '../refusals/refuse.ts';

/** The edit of the first code action of one of these kinds; undefined when none is offered. A disabled one is refused with its reason. */
export async function editOfAction(
  server: LanguageServer,
  path: string,
  range: Range,
  kinds: readonly string[],
  signal: AbortSignal | undefined,
  title?: RegExp,
): Promise<WorkspaceEdit | undefined> {
  const options = signal === undefined ? {} : { signal };
  const offered = await server.request<(CodeAction | Command)[] | null>(
    'textDocument/codeAction',
    {
      textDocument: { uri: pathToUri(path) },
      range: { start: toWirePosition(range.start), end: toWirePosition(range.end) },
      context: { diagnostics: [], only: kinds, triggerKind: 1 },
    },
    options,
  );
  const actions = (offered ?? []).filter(
    (item): item is CodeAction => typeof item.command !== 'string' && (title?.test(item.title) ?? true),
  );
  const action = kinds
    .map((kind) => actions.find((each) => each.kind === kind || each.kind?.startsWith(`${kind}.`) === true))
    .find((each) => each !== undefined);
  if (action === undefined) return undefined;
  if (action.disabled !== undefined)
    throw refuse('actionDisabled', { action: action.title, reason: action.disabled.reason });
  return asRefusal(() => editOf(server, action, options));
}

async function editOf(
  server: LanguageServer,
  action: CodeAction,
  options: { signal?: AbortSignal },
): Promise<WorkspaceEdit | undefined> {
  const canResolve = action.edit === undefined && action.data !== undefined;
  const whole = canResolve ? await server.request<CodeAction>('codeAction/resolve', action, options) : action;
  if (whole.edit !== undefined) return whole.edit;
  const { command } = whole;
  if (command === undefined) return undefined;
  let sent: WorkspaceEdit | undefined;
  // The server is told that its edit was made: what becomes of it is decided here.
  await server.client.whileApplyingEdits(
    ({ edit }) => {
      sent = edit;
      return Promise.resolve({ applied: true });
    },
    () =>
      server.request('workspace/executeCommand', { command: command.command, arguments: command.arguments }, options),
  );
  return sent;
}

/** What a server refuses, in its own words. */
export async function asRefusal<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    throw refuse('serverRefuses', { reason: error.message.trim() }, { cause: error });
  }
}
