import { tmpdir } from 'node:os';
import { errorMessage } from '../../base/errors.ts';
import { childEnvironment, ManagedProcess } from '../../base/processes.ts';
import { LineSplitter } from '../../base/text/lineSplitter.ts';
import type { Reach } from './entry.ts';
import type { Handshake, HttpServer } from './model.ts';

const patienceMs = 20_000;
const longestLine = 10_000_000;
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'sightline-install', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

/** Goes the way that an agent goes, by exactly what stands in its configuration: handshake and tool list. */
export async function shakeHands(reach: Reach, env: NodeJS.ProcessEnv): Promise<Handshake> {
  const startedAt = performance.now();
  try {
    const [hello, list] = await (reach.kind === 'stdio' ? throughCommand(reach.words, env) : overHttp(reach.server));
    const { name, version } = partOf(partOf(hello, 'result'), 'serverInfo') as Partial<Record<string, unknown>>;
    if (name !== 'sightline') return { works: false, problem: `another server answered: ${String(name)}` };
    const tools = partOf(partOf(list, 'result'), 'tools');
    if (!Array.isArray(tools)) return { works: false, problem: 'it answered, but lists no tools' };
    const ms = Math.round(performance.now() - startedAt);
    return { works: true, version: String(version), tools: tools.length, ms };
  } catch (error) {
    return { works: false, problem: errorMessage(error) };
  }
}

async function throughCommand([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown[]> {
  const child = await ManagedProcess.start({
    command,
    args,
    // Not a project: an agent's own folder would be opened and trusted.
    cwd: tmpdir(),
    env: childEnvironment(env),
    name: 'the command in the configuration',
  });
  try {
    const answers: unknown[] = [];
    const splitter = new LineSplitter(longestLine);
    const complete = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) {
          const message = parsed(line);
          if (message === undefined) return reject(new Error(`it writes what is not JSON-RPC: ${line.slice(0, 80)}`));
          if (typeof message === 'object' && message !== null && 'id' in message) answers.push(message);
        }
        if (answers.length >= 2) resolve();
      });
      void child.exited.then(({ code }) =>
        reject(new Error(`the command ended with code ${code}: ${child.stderrTail.trim().slice(-400)}`)),
      );
    });
    for (const message of [initialize, initialized, listTools]) child.stdin.write(`${JSON.stringify(message)}\n`);
    await within(complete);
    return answers;
  } finally {
    child.stdin.end();
    await child.kill();
  }
}

async function overHttp({ url, headers }: HttpServer): Promise<unknown[]> {
  let session: Record<string, string> = {};
  const post = async (message: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
        ...session,
      },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
    const id = response.headers.get('mcp-session-id');
    if (id !== null) session = { 'mcp-session-id': id };
    const text = await response.text();
    const data = text.split('\n').filter((line) => line.startsWith('data: {'));
    return text === '' ? undefined : parsed(data.at(-1)?.slice('data: '.length) ?? text);
  };
  const hello = await post(initialize);
  await post(initialized);
  return [hello, await post(listTools)];
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function partOf(value: unknown, key: string): unknown {
  // Checked to be an object; a missing key is undefined.
  return typeof value === 'object' && value !== null ? ((value as Record<string, unknown>)[key] ?? {}) : {};
}
