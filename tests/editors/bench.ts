import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { pathToUri } from '../../src/base/paths.ts';
import { RpcConnection } from '../../src/protocol/jsonrpc/connection.ts';
import { DaemonHome } from '../daemon/home.ts';
import type { StdioProgram } from '../support/program.ts';

const files = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "module": "nodenext"}, "include": ["*.ts"]}\n',
  'cart.ts': 'export function price(items: number[]): number {\n  return items.length;\n}\n',
  'shop.ts': "import { price } from './cart.ts';\n\nexport const paid = price([1, 2]);\n",
};

/** A project that an agent and editors share, with the built program run against it. */
export class EditorBench {
  readonly home: DaemonHome;
  readonly program: string;
  agent: StdioProgram;

  private constructor(program: string, home: DaemonHome, agent: StdioProgram) {
    this.program = program;
    this.home = home;
    this.agent = agent;
  }

  /** What `prepare` adds to the home is there before the process starts. */
  static async start(
    program: string,
    settings: Record<string, unknown> = {},
    prepare: (home: DaemonHome) => Promise<void> = async () => undefined,
  ): Promise<EditorBench> {
    const home = await DaemonHome.create(program);
    await prepare(home);
    mkdirSync(join(home.home, 'config'));
    writeFileSync(join(home.home, 'config', 'config.json'), JSON.stringify(settings));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home.project, name), text);
    const bench = new EditorBench(program, home, home.stdio(['--face', 'all']));
    await bench.agent.initialize();
    return bench;
  }

  path(file: string): string {
    return join(this.home.project, file);
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.agent.callTool(tool, args);
    const result = answer['result'] as { content: { text: string }[] } | undefined;
    return result?.content[0]?.text ?? JSON.stringify(answer);
  }

  read(file: string): Promise<string> {
    return this.call('read_file', { file_path: file, line_numbers: false });
  }

  /** Another process sends when it likes; asked again until the answer is so, and given as it is when it never is. */
  async until(ask: () => Promise<string>, isSo: (text: string) => boolean, timeoutMs = 20_000): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const text = await ask();
      if (isSo(text) || Date.now() > deadline) return text;
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  readUntil(file: string, isSo: (text: string) => boolean): Promise<string> {
    return this.until(() => this.read(file), isSo);
  }

  async editor(name: string): Promise<ScriptedEditor> {
    const editor = new ScriptedEditor(this, name);
    await editor.rpc.request('initialize', { clientInfo: { name }, capabilities: {}, rootUri: null, processId: null });
    editor.rpc.notify('initialized', {});
    return editor;
  }
}

interface Change {
  range?: { start: Place; end: Place };
  text: string;
}

interface Place {
  line: number;
  character: number;
}

/** An editor of the test's own, which sends what it is told to. */
export class ScriptedEditor {
  readonly rpc: RpcConnection;
  readonly child: ChildProcess;
  readonly edits: { edits: { range: Change['range']; newText: string }[]; uri: string; version: number }[] = [];
  readonly #bench: EditorBench;

  constructor(bench: EditorBench, _name: string) {
    this.#bench = bench;
    const { env, project } = bench.home;
    const child = spawn(process.execPath, [bench.program, 'editor-feed'], { cwd: project, env, stdio: 'pipe' });
    this.child = child;
    this.rpc = new RpcConnection({ name: 'feed', input: child.stdout, output: child.stdin, logger: silentLogger });
  }

  /** Edits that are asked for are noted, and answered as `answer` says. */
  answering(
    answer: (uri: string, edits: Change[], version: number) => { applied: boolean; failureReason?: string },
  ): void {
    this.rpc.handle('workspace/applyEdit', (params) => {
      const { edit } = params as {
        edit: {
          documentChanges: {
            textDocument: { uri: string; version: number };
            edits: { range: Change['range']; newText: string }[];
          }[];
        };
      };
      const [change] = edit.documentChanges;
      if (change === undefined) return { applied: false };
      const { uri, version } = change.textDocument;
      this.edits.push({ uri, version, edits: change.edits });
      const edits = change.edits.map(({ range, newText }) => ({
        ...(range === undefined ? {} : { range }),
        text: newText,
      }));
      return answer(uri, edits, version);
    });
  }

  open(file: string, text: string, version = 1): void {
    const textDocument = { uri: this.uri(file), languageId: 'typescript', version, text };
    this.rpc.notify('textDocument/didOpen', { textDocument });
  }

  change(file: string, version: number, ...contentChanges: Change[]): void {
    this.rpc.notify('textDocument/didChange', { textDocument: { uri: this.uri(file), version }, contentChanges });
  }

  save(file: string): void {
    this.rpc.notify('textDocument/didSave', { textDocument: { uri: this.uri(file) } });
  }

  close(file: string): void {
    this.rpc.notify('textDocument/didClose', { textDocument: { uri: this.uri(file) } });
  }

  uri(file: string): string {
    return file.includes(':') ? file : pathToUri(file.startsWith('/') ? file : this.#bench.path(file));
  }
}
