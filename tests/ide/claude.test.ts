import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ClaudeIde } from '../../src/server/ide/claudeIde.ts';
import { startSightline, type RunningSightline } from '../harness/startSightline.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';

interface Lock {
  pid: number;
  workspaceFolders: string[];
  ideName: string;
  transport: string;
  authToken: string;
}

/** The command line's side of the protocol. */
class FakeCli {
  readonly told: Record<string, unknown>[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Record<string, unknown>) => void>();
  #heard: () => void = () => undefined;
  #made = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
      const waiting = this.#waiting.get(Number(message['id']));
      if (waiting === undefined) this.told.push(message);
      waiting?.(message);
      this.#heard();
    });
  }

  /** Resolves with the status it was refused with, or with the connection. */
  static connect(port: number, headers: Record<string, string>): Promise<FakeCli | number> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, ['mcp'], { headers });
      socket.once('open', () => resolve(new FakeCli(socket)));
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('error', reject);
    });
  }

  request(method: string, params: unknown = {}): Promise<Record<string, unknown>> {
    const id = ++this.#made;
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async call(name: string, args: unknown = {}): Promise<{ isError?: boolean; texts: string[] }> {
    const { result } = (await this.request('tools/call', { name, arguments: args })) as {
      result: { isError?: boolean; content: { text: string }[] };
    };
    return { ...(result.isError === true ? { isError: true } : {}), texts: result.content.map(({ text }) => text) };
  }

  async hear(method: string): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.told.find((message) => message['method'] === method);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }
}

describe('the IDE of Claude Code', () => {
  let ide: RunningSightline;
  let folder: string;
  let lock: Lock;
  let port: number;
  let cli: FakeCli;
  const config = { home: '' };
  const authorization = () => ({ 'x-claude-code-ide-authorization': lock.authToken });

  beforeAll(async () => {
    config.home = await temporaryDirectory('claude');
    folder = join(config.home, 'ide');
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    // Of a Sightline that was killed, and of a stranger that was.
    writeFileSync(
      join(folder, '1.lock'),
      JSON.stringify({ pid: 999_999_999, workspaceFolders: [], ideName: 'Sightline' }),
    );
    writeFileSync(
      join(folder, '2.lock'),
      JSON.stringify({ pid: 999_999_999, workspaceFolders: ['/'], ideName: 'Other' }),
    );
    writeFileSync(join(folder, '3.lock'), 'not json');
    ide = await startSightline({
      project: {
        'package.json': '{"name": "shop"}',
        'a.ts': 'export const a: number = 1;\n',
        'bad.ts': "export const b: number = 'x';\n",
      },
      env: { SIGHTLINE_IDE_PROTOCOLS: '["claude"]', CLAUDE_CONFIG_DIR: config.home },
    });
    const [project] = ide.sightline.projects.list();
    if (project === undefined) throw new Error('no project');
    const server = await ide.sightline.ide.of(project, 'claude');
    port = server instanceof ClaudeIde ? server.port : 0;
    lock = JSON.parse(readFileSync(join(folder, `${port}.lock`), 'utf8')) as Lock;
    const connected = await FakeCli.connect(port, authorization());
    if (typeof connected === 'number') throw new Error(`refused: ${connected}`);
    cli = connected;
  });

  afterAll(async () => {
    cli.close();
    await ide.dispose();
    await removeDirectory(config.home);
  });

  test('tells of itself privately, and clears away only what was its own', () => {
    expect(lock).toMatchObject({
      pid: process.pid,
      workspaceFolders: [ide.root],
      ideName: 'Sightline',
      transport: 'ws',
    });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, `${port}.lock`)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['2.lock', '3.lock', `${port}.lock`].sort());
  });

  test('lets in only who has the token, and no page of a browser', async () => {
    expect(await FakeCli.connect(port, {})).toBe(401);
    expect(await FakeCli.connect(port, { 'x-claude-code-ide-authorization': `${lock.authToken}x` })).toBe(401);
    expect(await FakeCli.connect(port, { ...authorization(), origin: 'http://evil.com' })).toBe(403);
    expect(await FakeCli.connect(port, { ...authorization(), origin: `http://127.0.0.1:${port}` })).toBe(403);
    expect(await FakeCli.connect(port, { ...authorization(), host: 'evil.com' })).toBe(403);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(426);
  });

  test('speaks MCP, and survives what is none', async () => {
    cli.send('not json');
    cli.send('[]');
    expect(await cli.request('initialize')).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
    const { result } = (await cli.request('tools/list')) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toContain('openDiff');
    expect(await cli.request('made/up')).toMatchObject({ error: { code: -32601 } });
    expect(await cli.call('executeCode', { code: '1' })).toMatchObject({ isError: true });
    expect(JSON.parse((await cli.call('getWorkspaceFolders')).texts[0] ?? '')).toMatchObject({ rootPath: ide.root });
  });

  test('diagnostics are found now', async () => {
    const [text = ''] = (await cli.call('getDiagnostics', { uri: `file://${join(ide.root, 'bad.ts')}` })).texts;
    expect(JSON.parse(text)).toMatchObject([
      {
        uri: `file://${join(ide.root, 'bad.ts')}`,
        diagnostics: [{ severity: 'Error', range: { start: { line: 0, character: 13 } } }],
      },
    ]);
    // Asked for everything, the files that it had asked about are among it.
    expect((await cli.call('getDiagnostics')).texts[0]).toBe(text);
  });

  test('an edit waits for its person, whatever the policy allows; what is then written can be undone', async () => {
    const path = join(ide.root, 'a.ts');
    const change = {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: 'export const a: number = 2;\n',
      tab_name: 'a',
    };
    const { approvals } = ide.sightline.backend;
    const answerNext = (isYes: boolean) =>
      new Promise<string>((resolve) => {
        const hearing = approvals.changed.on((ticket) => {
          if (ticket.state !== 'pending') return;
          void hearing.dispose();
          resolve(ticket.subject.shown ?? '');
          setImmediate(() => approvals.decide(ticket.id, isYes, 'dashboard'));
        });
      });
    const refused = answerNext(false);
    expect((await cli.call('openDiff', change)).texts).toEqual(['DIFF_REJECTED', 'a']);
    expect(await refused).toContain('+export const a: number = 2;');
    void answerNext(true);
    expect((await cli.call('openDiff', change)).texts).toEqual(['FILE_SAVED', change.new_file_contents]);
    // It closes the tab first, and asks for all to be closed when a second one begins its turn.
    await cli.call('close_tab', { tab_name: 'a' });
    const other = await FakeCli.connect(port, authorization());
    if (typeof other === 'number') throw new Error('refused');
    await other.call('closeAllDiffTabs');
    other.close();
    writeFileSync(path, change.new_file_contents);
    const person = await ide.connect({ face: 'all' });
    const changes = () => person.text('list_changes', { client: 'Claude Code' });
    await expect.poll(changes, { timeout: 30_000 }).toContain('a.ts');
    expect(await person.text('undo', { client: 'Claude Code' })).toContain('a.ts');
    expect(readFileSync(path, 'utf8')).toBe('export const a: number = 1;\n');
  });

  test('an edit that is answered at the terminal is recorded too', async () => {
    const path = join(ide.root, 'made.ts');
    const text = 'export const made = 1;\n';
    const { approvals } = ide.sightline.backend;
    const notes: string[] = [];
    const asked = new Promise<void>((resolve) => {
      const hearing = approvals.changed.on(({ subject }) => {
        notes.push(subject.note ?? '');
        void hearing.dispose();
        resolve();
      });
    });
    const change = { old_file_path: path, new_file_path: path, new_file_contents: text, tab_name: 'made' };
    const answer = cli.call('openDiff', change);
    await asked;
    expect(notes).toEqual([expect.stringContaining('policy.edit: allow. Claude Code asks because')]);
    await cli.call('close_tab', { tab_name: 'made' });
    expect((await answer).texts).toEqual(['DIFF_REJECTED', 'made']);
    expect(approvals.list()).toEqual([]);
    // As the real one writes a new file: without the newline at its end.
    writeFileSync(path, text.trimEnd());
    const person = await ide.connect({ face: 'all' });
    const changes = () => person.text('list_changes', { client: 'Claude Code' });
    await expect.poll(changes, { timeout: 30_000 }).toContain('made.ts');
  });

  test('nothing outside the workspace is shown or reviewed', async () => {
    symlinkSync('/etc', join(ide.root, 'out'));
    for (const path of [
      '/etc/passwd',
      join(ide.root, '..', 'x'),
      join(ide.root, 'out', 'passwd'),
      `${ide.root}-sibling/x`,
    ]) {
      const change = { old_file_path: path, new_file_path: path, new_file_contents: 'x', tab_name: 'x' };
      expect(await cli.call('openDiff', change), path).toMatchObject({ isError: true });
      expect(await cli.call('getDiagnostics', { uri: `file://${path}` }), path).toMatchObject({ isError: true });
    }
    expect(ide.sightline.backend.approvals.list()).toEqual([]);
  });

  test('a command line that leaves takes its question with it; selections are told', async () => {
    const [project] = ide.sightline.projects.list();
    if (project === undefined) throw new Error('no project');
    const server = await ide.sightline.ide.of(project, 'claude');
    server?.select({ path: join(ide.root, 'a.ts'), fromLine: 1, toLine: 1, text: 'export' }, true);
    expect(await cli.hear('at_mentioned')).toMatchObject({
      params: { filePath: join(ide.root, 'a.ts'), lineStart: 0 },
    });
    const { approvals } = ide.sightline.backend;
    const states: string[] = [];
    const asked = new Promise<void>((resolve) => approvals.changed.on(({ state }) => (states.push(state), resolve())));
    const leaving = await FakeCli.connect(port, authorization());
    if (typeof leaving === 'number') throw new Error('refused');
    void leaving.call('openDiff', {
      old_file_path: 'a.ts',
      new_file_path: 'a.ts',
      new_file_contents: 'x',
      tab_name: 'x',
    });
    await asked;
    const denied = new Promise<void>((resolve) => approvals.changed.on(({ state }) => state === 'denied' && resolve()));
    leaving.close();
    await denied;
    expect(approvals.list()).toEqual([]);
  });
});

describe('another IDE', () => {
  test('that has the folder open is left alone, and without the setting nothing is told', async () => {
    const home = await temporaryDirectory('claude');
    mkdirSync(join(home, 'ide'));
    writeFileSync(join(home, 'ide', '7.lock'), JSON.stringify({ pid: 1, workspaceFolders: ['/'], ideName: 'VS Code' }));
    const project = { 'package.json': '{}' };
    for (const env of [{ SIGHTLINE_IDE_PROTOCOLS: '["claude"]' }, {}]) {
      const ide = await startSightline({ project, env: { ...env, CLAUDE_CONFIG_DIR: home } });
      try {
        const [opened] = ide.sightline.projects.list();
        expect(opened === undefined ? 'none' : await ide.sightline.ide.of(opened, 'claude')).toBeUndefined();
        expect(readdirSync(join(home, 'ide'))).toEqual(['7.lock']);
      } finally {
        await ide.dispose();
      }
    }
    await removeDirectory(home);
  });
});
