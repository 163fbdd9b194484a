import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/startSightline.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { eventually, processesOf } from '../support/program.ts';
import { hostedClients } from './acp/hostedClient.ts';
import { ideUsers, type IdeUser } from './ide/ideClients.ts';
import { TerminalRun } from './ide/terminalRun.ts';
import { ScriptedModel } from './model/scriptedModel.ts';
import { installClient, prepareHome } from './realClient.ts';

const before = 'export const a = 1;\n';
const after = 'export const n = 2;\n';

/** Real clients at a terminal, whose IDE is Sightline. */
describe('as the IDE', () => {
  describe.each(ideUsers)('$client.title', (user) => {
    let home: string;
    let ide: RunningSightline;
    let model: ScriptedModel;
    let run: TerminalRun;
    const heard: string[] = [];
    const shown: string[] = [];

    beforeAll(async () => {
      const command = await installClient(user.client);
      home = await temporaryDirectory('home');
      const TMPDIR = join(home, 'tmp');
      mkdirSync(TMPDIR);
      model = await ScriptedModel.start(({ tools }) => tools.length > 0);
      ide = await startSightline({
        project: { 'package.json': '{"name": "shop"}\n', 'a.ts': before },
        env: { HOME: home, TMPDIR, SIGHTLINE_IDE_PROTOCOLS: `["${user.protocol}"]`, SIGHTLINE_POLICY_EDIT: 'ask' },
      });
      const files = { ...user.client.files?.(model.url), ...user.files?.(ide.root) };
      prepareHome({ ...user.client, files: () => files }, home, model.url);
      const connected = listenTo(ide, user, heard);
      answerReviews(ide, shown);
      const write = hostedClients.find(({ agent }) => agent === user.agent)?.write;
      if (write === undefined) throw new Error('nobody writes');
      // The first word of the model comes once the client has found its IDE.
      const calls = [write(join(ide.root, 'new.ts'), after)];
      model.script = [{ calls, after: () => connected }, { text: 'All done.' }];
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        TMPDIR,
        LANG: 'C.UTF-8',
        ...user.client.env(model.url),
        ...user.env,
      };
      run = new TerminalRun([...command, ...user.args('Look after the shop.')], ide.root, env);
      const isDone = await Promise.race([model.requestAt(1).then(() => true), eventually(() => false, 120_000)]);
      if (!isDone)
        throw new Error(`${user.client.title} wrote nothing; ${heard.join('; ')}\n${run.screen.slice(-3000)}`);
    });

    afterAll(async () => {
      run?.kill();
      // What runs at the terminal is no child of the group.
      for (const { pid } of processesOf(home, 'HOME')) process.kill(pid, 'SIGKILL');
      await eventually(() => processesOf(home, 'HOME').length === 0, 15_000);
      await ide?.dispose();
      await model?.dispose();
      if (home !== undefined) await removeDirectory(home);
    });

    test('finds Sightline, and asks it what this transcript says', () => {
      expect([...new Set(heard)].slice(0, user.transcript.length)).toEqual(user.transcript);
    });

    test('its edit waits for its person here, is then written, and can be undone', async () => {
      expect(shown).toEqual([expect.stringContaining(`+${after}`)]);
      expect(readFileSync(join(ide.root, 'new.ts'), 'utf8')).toBe(after);
      const person = await ide.connect({ face: 'all' });
      const changes = () => person.text('list_changes', { client: user.client.title });
      await expect.poll(changes, { timeout: 30_000 }).toContain('new.ts');
    });
  });
});

/** Notes what the client sends; resolves once it has asked for the tools. */
function listenTo(ide: RunningSightline, { protocol }: IdeUser, heard: string[]): Promise<void> {
  return new Promise((resolve) => {
    ide.sightline.ide.onDidHear.on(({ protocol: by, message }) => {
      if (by !== protocol) return;
      heard.push(described(message));
      if (message['method'] === 'tools/list') resolve();
    });
  });
}

function described({ method, params }: Record<string, unknown>): string {
  const given = (typeof params === 'object' ? params : undefined) as Record<string, unknown> | undefined;
  if (method === 'initialize') return `initialize ${String(given?.['protocolVersion'])}`;
  if (method !== 'tools/call') return String(method);
  return [String(given?.['name']), ...Object.keys(given?.['arguments'] ?? {}).sort()].join(' ');
}

/** The person at the dashboard agrees to every review. */
function answerReviews(ide: RunningSightline, shown: string[]): void {
  const { approvals } = ide.sightline.backend;
  approvals.changed.on((ticket) => {
    if (ticket.state !== 'pending') return;
    shown.push(ticket.subject.shown ?? '');
    setImmediate(() => approvals.decide(ticket.id, true, 'dashboard'));
  });
}
