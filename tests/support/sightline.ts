import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compose, type Sightline } from '../../src/cli/compose.ts';
import type { ToolAnswer } from '../../src/server/answer.ts';
import type { Client, ClientInfo } from '../../src/server/clients.ts';

/** A whole Sightline in this process, with a home of its own and a project made of these files. */
export interface TestBench {
  readonly sightline: Sightline;
  readonly client: Client;
  readonly root: string;
  readonly home: string;
  call(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** The data of a call that must succeed. */
  data(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  write(path: string, content: string | Buffer): void;
  connect(info?: Partial<ClientInfo>): Client;
  dispose(): Promise<void>;
}

export interface BenchOptions {
  files?: Readonly<Record<string, string | Buffer>>;
  env?: NodeJS.ProcessEnv;
  client?: Partial<ClientInfo>;
  /** Whether the client's own directory is the project (and so trusted). Default: yes. */
  inProject?: boolean;
}

export async function testBench(options: BenchOptions = {}): Promise<TestBench> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-bench-')));
  const root = join(base, 'project');
  const home = join(base, 'home');
  mkdirSync(root);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries(options.files ?? {})) write(path, content);
  const env = { PATH: process.env['PATH'], HOME: home, SIGHTLINE_HOME: home, ...options.env };
  const sightline = await compose({ env });
  const connect = (info: Partial<ClientInfo> = {}) =>
    sightline.backend.connect({
      name: 'test client',
      transport: 'embedded',
      face: 'all',
      output: 'both',
      env,
      ...(options.inProject === false ? {} : { cwd: root }),
      ...options.client,
      ...info,
    });
  const client = connect();
  const call = (tool: string, args: Record<string, unknown> = {}) => sightline.backend.callTool({ tool, args, client });
  return {
    sightline,
    client,
    root,
    home,
    call,
    data: async (tool, args) => {
      const answer = await call(tool, args);
      if (answer.data === undefined) throw new Error(`${tool} failed: ${answer.text}`);
      return answer.data;
    },
    write,
    connect,
    dispose: async () => {
      await sightline.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
