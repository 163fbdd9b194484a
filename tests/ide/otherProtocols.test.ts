import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdeProtocol } from '../../src/server/ide/ideServers.ts';
import { startSightline, type RunningSightline } from '../harness/startSightline.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { IdeClient, type Place } from './ideClient.ts';

const dead = 999_999_999;

/** What is different in each protocol; what must hold in all of them is below. */
interface Protocol {
  id: IdeProtocol;
  /** As local history names it. */
  title: string;
  folder: (home: string) => string;
  /** Files of a dead Sightline and of a dead stranger. */
  stale: { own: [string, unknown]; strange: [string, unknown] };
  living: [string, unknown];
  place(found: Record<string, unknown>): Place;
  authorization(found: Record<string, unknown>): string;
  review(path: string, text: string): [string, Record<string, unknown>];
  /** What came of a review, and what that must be. */
  answer: (client: IdeClient, texts: string[]) => Promise<unknown>;
  accepted: (path: string, text: string) => unknown;
  rejected: (path: string) => unknown;
  tools: string[];
}

const companion = (id: 'gemini' | 'qwen', title: string): Omit<Protocol, 'folder' | 'stale' | 'living'> => ({
  id,
  title,
  place: ({ port }) => ({ port: Number(port) }),
  authorization: ({ authToken }) => `Bearer ${String(authToken)}`,
  review: (filePath, newContent) => ['openDiff', { filePath, newContent }],
  answer: async (client) => {
    const { method, params } = await client.hear(({ method: each }) => String(each).startsWith('ide/diff'));
    client.told.length = 0;
    return { method, params };
  },
  accepted: (filePath, content) => ({ method: 'ide/diffAccepted', params: { filePath, content } }),
  rejected: (filePath) => ({ method: 'ide/diffRejected', params: { filePath } }),
  tools: ['closeDiff', 'openDiff'],
});

const protocols: readonly Protocol[] = [
  {
    ...companion('gemini', 'Gemini CLI'),
    folder: (home) => join(home, 'tmp', 'gemini', 'ide'),
    stale: {
      own: [`gemini-ide-server-${dead}-1.json`, { workspacePath: '/', ideInfo: { displayName: 'Sightline' } }],
      strange: [`gemini-ide-server-${dead}-2.json`, { workspacePath: '/', ideInfo: { displayName: 'Other' } }],
    },
    living: ['gemini-ide-server-1-7.json', { workspacePath: '/', ideInfo: { displayName: 'VS Code' } }],
  },
  {
    ...companion('qwen', 'Qwen Code'),
    folder: (home) => join(home, '.qwen', 'ide'),
    stale: {
      own: ['1.lock', { workspacePath: '/', ppid: dead, ideName: 'Sightline' }],
      strange: ['2.lock', { workspacePath: '/', ppid: dead, ideName: 'Other' }],
    },
    living: ['7.lock', { workspacePath: '/', ppid: 1, ideName: 'VS Code' }],
  },
  {
    id: 'copilot',
    title: 'Copilot CLI',
    folder: (home) => join(home, '.copilot', 'ide'),
    stale: {
      own: ['1.lock', { workspaceFolders: ['/'], pid: dead, ideName: 'Sightline' }],
      strange: ['2.lock', { workspaceFolders: ['/'], pid: dead, ideName: 'Other' }],
    },
    living: ['7.lock', { workspaceFolders: ['/'], pid: 1, ideName: 'VS Code' }],
    place: ({ socketPath }) => ({ socketPath: String(socketPath) }),
    authorization: ({ headers }) => (headers as { Authorization: string }).Authorization,
    review: (path, text) => ['open_diff', { original_file_path: path, new_file_contents: text, tab_name: 'a' }],
    answer: async (_client, [text = '']) => {
      const { result, tab_name: tab } = JSON.parse(text) as Record<string, unknown>;
      return { result, tab };
    },
    accepted: () => ({ result: 'SAVED', tab: 'a' }),
    rejected: () => ({ result: 'REJECTED', tab: 'a' }),
    tools: ['close_diff', 'get_diagnostics', 'get_selection', 'get_vscode_info', 'open_diff', 'update_session_name'],
  },
];

const project = {
  'package.json': '{"name": "shop"}',
  'a.ts': 'export const a: number = 1;\n',
  'bad.ts': "export const b: number = 'x';\n",
};

/** One Sightline that is the IDE in every protocol at once. */
describe('the IDE of command lines', () => {
  let ide: RunningSightline;
  let home: string;
  const found = new Map<IdeProtocol, { name: string; content: Record<string, unknown> }>();
  const clientOf = (protocol: Protocol): IdeClient => {
    const content = found.get(protocol.id)?.content ?? {};
    return new IdeClient(protocol.place(content), protocol.authorization(content));
  };
  const answerNext = (isYes: boolean) =>
    new Promise<string>((resolve) => {
      const { approvals } = ide.sightline.backend;
      const hearing = approvals.changed.on((ticket) => {
        if (ticket.state !== 'pending') return;
        void hearing.dispose();
        resolve(ticket.subject.shown ?? '');
        setImmediate(() => approvals.decide(ticket.id, isYes, 'dashboard'));
      });
    });

  beforeAll(async () => {
    home = await temporaryDirectory('home');
    for (const { folder, stale } of protocols) {
      mkdirSync(folder(home), { recursive: true, mode: 0o755 });
      for (const [name, content] of Object.values(stale))
        writeFileSync(join(folder(home), name), JSON.stringify(content));
    }
    ide = await startSightline({
      project,
      env: {
        HOME: home,
        TMPDIR: join(home, 'tmp'),
        SIGHTLINE_IDE_PROTOCOLS: JSON.stringify(protocols.map(({ id }) => id)),
        SIGHTLINE_POLICY_EDIT: 'ask',
      },
    });
    const [opened] = ide.sightline.projects.list();
    if (opened === undefined) throw new Error('no project');
    for (const { id, folder, stale } of protocols) {
      await ide.sightline.ide.of(opened, id);
      const name = readdirSync(folder(home)).find((each) => each !== stale.strange[0]) ?? '';
      found.set(id, { name, content: JSON.parse(readFileSync(join(folder(home), name), 'utf8')) as never });
    }
  });

  afterAll(async () => {
    await ide?.dispose();
    await removeDirectory(home);
  });

  describe.each(protocols)('$id', (protocol) => {
    test('tells of itself privately, and clears away only what was its own', () => {
      const folder = protocol.folder(home);
      const { name = '', content } = found.get(protocol.id) ?? {};
      expect(readdirSync(folder).sort()).toEqual([protocol.stale.strange[0], name].sort());
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(JSON.stringify(content)).toContain(ide.root);
      const place = protocol.place(content ?? {});
      expect('socketPath' in place ? statSync(place.socketPath).mode & 0o777 : 0o600).toBe(0o600);
    });

    test('lets in only who has the token, and no page of a browser', async () => {
      const client = clientOf(protocol);
      const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
      const status = async (headers: Record<string, string>) => (await client.send('POST', hello, headers)).status;
      expect(await status({ authorization: '' })).toBe(401);
      expect(await status({ authorization: `${protocol.authorization(found.get(protocol.id)?.content ?? {})}x` })).toBe(
        401,
      );
      expect(await status({ origin: 'http://evil.com' })).toBe(403);
      expect(await status({ origin: 'null' })).toBe(403);
      // A socket has no name that a page could be led to.
      const isSocket = 'socketPath' in protocol.place(found.get(protocol.id)?.content ?? {});
      expect(await status({ host: 'evil.com' })).toBe(isSocket ? 200 : 403);
      expect((await client.send('GET', undefined, { authorization: '' })).status).toBe(401);
      expect((await client.send('POST', hello, {}, '/other')).status).toBe(404);
      expect((await client.send('POST', hello, { 'mcp-session-id': 'made-up' })).status).toBe(404);
      expect((await client.send('GET', undefined)).status).toBe(400);
      expect((await client.send('POST', 'not json')).status).toBe(400);
      expect((await client.send('POST', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).status).toBe(
        400,
      );
    });

    test('an edit waits for its person; what is then written can be undone', async () => {
      const client = clientOf(protocol);
      expect(await client.initialize()).toMatchObject({ result: { capabilities: { tools: {} } } });
      const { result } = (await client.request('tools/list')) as { result: { tools: { name: string }[] } };
      expect(result.tools.map(({ name }) => name).sort()).toEqual(protocol.tools);
      expect(await client.request('made/up')).toMatchObject({ error: { code: -32601 } });
      expect(await client.listen()).toBe(200);
      const path = join(ide.root, 'a.ts');
      const after = 'export const a: number = 2;\n';
      for (const isYes of [false, true]) {
        const shown = answerNext(isYes);
        const { texts } = await client.call(...protocol.review(path, after));
        expect(await shown).toContain('+export const a: number = 2;');
        expect(await protocol.answer(client, texts)).toEqual(
          isYes ? protocol.accepted(path, after) : protocol.rejected(path),
        );
      }
      writeFileSync(path, after);
      const [opened] = ide.sightline.projects.list();
      if (opened !== undefined)
        await ide.sightline.ide.select(opened, { path, fromLine: 1, toLine: 1, text: 'export' }, true);
      const selected = protocol.id === 'copilot' ? 'selection_changed' : 'ide/contextUpdate';
      await client.hear((message) => message['method'] === selected && JSON.stringify(message).includes('export'));
      client.close();
      const person = await ide.connect({ face: 'all' });
      await client.call(
        ...((protocol.id === 'copilot' ? ['close_diff', { tab_name: 'a' }] : ['closeDiff', { filePath: path }]) as [
          string,
          object,
        ]),
      );
      void answerNext(true);
      expect(await person.text('undo', { client: protocol.title })).toContain('a.ts');
      expect(readFileSync(path, 'utf8')).toBe('export const a: number = 1;\n');
    });

    test('nothing outside the workspace is shown or reviewed', async () => {
      const client = clientOf(protocol);
      await client.initialize();
      const link = join(ide.root, `out-${protocol.id}`);
      symlinkSync('/etc', link);
      for (const path of ['/etc/passwd', join(ide.root, '..', 'x'), join(link, 'passwd'), `${ide.root}-sibling/x`])
        expect(await client.call(...protocol.review(path, 'x')), path).toMatchObject({ isError: true });
      expect(ide.sightline.backend.approvals.list()).toEqual([]);
    });
  });

  test('diagnostics for Copilot are found now', async () => {
    const [, , copilot] = protocols;
    if (copilot === undefined) throw new Error('no protocol');
    const client = clientOf(copilot);
    await client.initialize();
    const [text = ''] = (await client.call('get_diagnostics', { uri: `file://${join(ide.root, 'bad.ts')}` })).texts;
    expect(JSON.parse(text)).toMatchObject([
      { filePath: join(ide.root, 'bad.ts'), diagnostics: [{ severity: 'error', range: { start: { line: 0 } } }] },
    ]);
  });

  test('nothing of its own is left when it ends', async () => {
    await ide.dispose();
    for (const { folder, stale } of protocols) expect(readdirSync(folder(home))).toEqual([stale.strange[0]]);
  });
});

describe('another IDE', () => {
  test('that has the folder open is left alone in every protocol', async () => {
    const home = await temporaryDirectory('home');
    for (const { folder, living } of protocols) {
      mkdirSync(folder(home), { recursive: true });
      writeFileSync(join(folder(home), living[0]), JSON.stringify(living[1]));
    }
    const env = { SIGHTLINE_IDE_PROTOCOLS: '["gemini","qwen","copilot"]', HOME: home, TMPDIR: join(home, 'tmp') };
    const ide = await startSightline({ project, env });
    const [opened] = ide.sightline.projects.list();
    for (const { id, folder, living } of protocols) {
      expect(opened === undefined ? 'none' : await ide.sightline.ide.of(opened, id)).toBeUndefined();
      expect(readdirSync(folder(home))).toEqual([living[0]]);
    }
    await ide.dispose();
    await removeDirectory(home);
  });
});
