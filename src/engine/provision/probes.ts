import { ToolError } from '../../base/errors.ts';
import type { FindContext, ToolRunResult } from './model.ts';

/** Runs `path` with `args` and takes the first match of `pattern` in what it says. */
export function versionFrom(
  args: readonly string[],
  pattern: RegExp = /(\d+\.\d+(?:\.\d+)*)/,
): (path: string, context: FindContext) => Promise<string | undefined> {
  return async (path, context) => {
    const result = await context.run([path, ...args]);
    if (result.code !== 0) throw new ToolError('engine_failed', `${path} ${args.join(' ')}: ${failureOf(result)}`);
    return pattern.exec(`${result.stdout}\n${result.stderr}`)?.[1];
  };
}

/** What went wrong, in one line: the line that most looks like the cause. */
export function failureOf(result: ToolRunResult): string {
  if (result.timedOut) return 'did not answer in time';
  const lines = `${result.stdout}\n${result.stderr}`
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(npm (error|ERR!) )?(A complete log|\s*\/.*-debug-0\.log)/.test(line));
  const telling = lines.filter((line) => /error|fail|cannot|could not|not found|refused|denied|no such/i.test(line));
  const line = telling.find((each) => !/^(npm (error|ERR!) )?code \w+$/.test(each)) ?? lines.at(-1);
  const ended = result.code === null ? `was ended by ${result.signal ?? 'a signal'}` : `ended with code ${result.code}`;
  return line === undefined ? ended : `${ended}: ${line.slice(0, 300)}`;
}

/** Whether the failure says that the registry could not be reached, as npm, pip, go and cargo each put it (pip: no versions). */
export function looksOffline(result: ToolRunResult): boolean {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network request|Connection refused|NewConnectionError|ProxyError|Name or service not known|Temporary failure in name resolution|Network is unreachable|no such host|dial tcp|i\/o timeout|Could not resolve host|connection timed out|proxyconnect|could not download|Failed to connect|from versions: none/i.test(
    `${result.stdout}\n${result.stderr}`,
  );
}

/**
 * A language server or debug adapter works when it answers `initialize`. It is asked that and nothing else, in an empty folder, and ended.
 * Servers without a `--version` cannot be checked in any other way, and the others are checked better so.
 */
export async function answersInitialize(
  command: readonly string[],
  folder: string,
  context: FindContext,
  { protocol = 'lsp', timeoutMs = 60_000 }: { protocol?: 'lsp' | 'dap'; timeoutMs?: number } = {},
): Promise<void> {
  const body = protocol === 'lsp' ? firstOfLsp : firstOfDap;
  const result = await context.run(command, {
    cwd: folder,
    input: `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    keepStdinOpen: true,
    until: protocol === 'lsp' ? /"capabilities"\s*:\s*\{/ : /"success"\s*:\s*true/,
    timeoutMs,
  });
  if (result.seen) return;
  const who = protocol === 'lsp' ? 'language server' : 'debugger';
  throw new ToolError('engine_failed', `The ${who} did not answer its first request; it ${failureOf(result)}.`);
}

const firstOfDap = JSON.stringify({
  seq: 1,
  type: 'request',
  command: 'initialize',
  arguments: { clientID: 'sightline', adapterID: 'check' },
});

const firstOfLsp = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    processId: null,
    rootUri: null,
    workspaceFolders: null,
    capabilities: {},
    initializationOptions: {},
  },
});
