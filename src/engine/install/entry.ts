import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { javascriptEnding } from '../../base/languages/byPath.ts';
import type { AgentClient, HttpServer, InstallPlace, InstallRequest } from './model.ts';

/** What we write for an agent. Undefined when it has no way to a server that runs already. */
export function wantedEntry(
  client: AgentClient,
  place: InstallPlace,
  http: InstallRequest['http'],
): Record<string, unknown> | undefined {
  if (http !== undefined) return client.http?.(http);
  const [program = 'node', ...args] = place.command;
  const command = client.needsWholePath === true ? (programPath(program, place) ?? program) : program;
  return (client.stdio ?? ((server) => ({ ...server })))({ command, args: [...args, 'stdio'] });
}

/** How an entry reaches a server, whatever its keys are called. */
export type Reach = { kind: 'stdio'; words: string[] } | { kind: 'http'; server: HttpServer };

export function reachOf(entry: Readonly<Record<string, unknown>>): Reach | undefined {
  const url = [entry['url'], entry['serverUrl'], entry['httpUrl']].find((value) => typeof value === 'string');
  if (url !== undefined) {
    const headers = Object.entries(entry['headers'] ?? entry['http_headers'] ?? {});
    return {
      kind: 'http',
      server: { url, headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])) },
    };
  }
  const words = [entry['command'], entry['args']].flat().filter((word) => typeof word === 'string');
  return words.length === 0 ? undefined : { kind: 'stdio', words };
}

/** Why a command cannot start a server, as far as files tell. */
export function missingPart([program = '', ...args]: readonly string[], place: InstallPlace): string | undefined {
  if (programPath(program, place) === undefined) return `${program} is not found`;
  const script = args.find((word) => isAbsolute(word) && javascriptEnding.test(word));
  return script === undefined || existsSync(script) ? undefined : `${script} is not there`;
}

export function programPath(program: string, { env, node, platform }: InstallPlace): string | undefined {
  if (program === 'node' && isRunnable(node)) return node;
  if (isAbsolute(program)) return isRunnable(program) ? program : undefined;
  const names = platform === 'win32' ? [`${program}.cmd`, `${program}.exe`] : [program];
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isRunnable);
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
