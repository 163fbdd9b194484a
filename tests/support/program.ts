import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { acquireFileLock } from '../../src/base/fileLock.ts';
import { LineSplitter } from '../../src/base/text/lineSplitter.ts';

const repository = resolve(import.meta.dirname, '../..');

/** The built program, built now if the sources changed. Test files run side by side, so only one of them builds. */
export async function builtProgram(): Promise<string> {
  const lock = await acquireFileLock(join(repository, 'node_modules', '.build-lock'));
  try {
    await promisify(execFile)(process.execPath, [join(repository, 'scripts/bootstrap.mjs'), 'prepare'], {
      cwd: repository,
    });
  } finally {
    await lock.release();
  }
  return join(repository, 'dist', 'sightline.js');
}

/** What a client of stdio sees: a process that speaks JSON-RPC lines. */
export class StdioProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Everything on stdout that was not the answer to a request. */
  readonly messages: Record<string, unknown>[] = [];
  /** Lines on stdout that are not JSON-RPC. There must be none. */
  readonly foreign: string[] = [];
  stderr = '';
  readonly #waiting = new Map<number, (message: Record<string, unknown>) => void>();
  #nextId = 1;
  #onMessage: () => void = () => undefined;

  constructor(command: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.child = spawn(command, args, { ...options, stdio: 'pipe' });
    this.exited = new Promise((done) => {
      this.child.once('exit', (code, signal) => done(signal ?? code ?? -1));
    });
    const splitter = new LineSplitter(100_000_000);
    this.child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk).forEach((line) => this.#receive(line)));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.child.stdin.on('error', () => undefined);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  async request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.start(method, params).answer;
  }

  /** The id of the request besides its answer, to cancel it. */
  start(method: string, params?: Record<string, unknown>): { id: number; answer: Promise<Record<string, unknown>> } {
    const id = this.#nextId++;
    const answer = new Promise<Record<string, unknown>>((done) => this.#waiting.set(id, done));
    this.write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return { id, answer };
  }

  write(message: unknown): void {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  async initialize(capabilities: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const clientInfo = { name: 'tests', version: '1' };
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  async callTool(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Waits for a message that is not an answer. */
  async message(matches: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.messages.find(matches);
      if (found !== undefined) return found;
      await new Promise<void>((done) => {
        this.#onMessage = done;
      });
    }
  }

  #receive(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = JSON.parse(line) as Record<string, unknown>;
    } catch {
      this.foreign.push(line);
      return;
    }
    if (message['jsonrpc'] !== '2.0') this.foreign.push(line);
    const { id, method } = message;
    const waiting = method === undefined && typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) {
      this.messages.push(message);
      this.#onMessage();
    } else {
      this.#waiting.delete(Number(id));
      waiting(message);
    }
  }
}

/** Every living process that works for this home: they all carry it in their environment. Zombies are not alive. */
export function processesOf(home: string, variable = 'SIGHTLINE_HOME'): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        const variables = readFileSync(`/proc/${entry}/environ`, 'latin1').split('\0');
        if (!variables.includes(`${variable}=${home}`)) return [];
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${entry}/status`, 'latin1'))) return [];
        const command = readFileSync(`/proc/${entry}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
        return [{ pid: Number(entry), command }];
      } catch {
        return [];
      }
    });
}

/** Polls, because the ends of other processes send us no event. */
export async function eventually(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await new Promise((done) => setTimeout(done, 10));
  }
  return true;
}
