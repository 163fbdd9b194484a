import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSightline, type RunningSightline } from '../harness/startSightline.ts';
import { removeDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { eventually, processesOf } from '../support/program.ts';
import { hostedClients } from './acp/hostedClient.ts';
import { ideUsers, type IdeUser } from './ide/ideClients.ts';
import { TerminalRun } from './ide/terminalRun.ts';
import { ScriptedModel, type ScriptedTurn } from './model/scriptedModel.ts';
import { installClient, prepareHome } from './realClient.ts';

const before = 'export const a = 1;\n';
const after = "export const n: number = '';\n";
const prompt = 'Look after the shop.';
const limitMs = 240_000;

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
      model.script = scriptOf(user, ide.root, connected);
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        TMPDIR,
        LANG: 'C.UTF-8',
        // Whatever it wants of the world is refused at once instead of waited for.
        HTTP_PROXY: model.url,
        HTTPS_PROXY: model.url,
        NO_PROXY: '127.0.0.1,localhost',
        ...user.client.env(model.url),
        ...user.env,
      };
      run = new TerminalRun([...command, ...user.args(prompt)], ide.root, env);
      const isDone = await Promise.race([work().then(() => true), eventually(() => false, limitMs)]);
      if (!isDone) throw new Error(`${user.client.title} did not end; ${heard.join('; ')}\n${run.screen.slice(-3000)}`);

      async function work(): Promise<void> {
        if (user.typesAt !== undefined) {
          await connected;
          await eventually(() => user.typesAt?.test(run.screen) === true, limitMs);
          await askAbout(ide, run);
          await tell(run);
        }
        await model.requestAt(model.script.length - 1);
      }
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

    test('finds Sightline, and asks it all that this transcript says', async () => {
      // What it asks side by side comes in any order, and it may ask more.
      const unasked = () => user.transcript.filter((line) => !heard.includes(line));
      await expect.poll(unasked, { timeout: 30_000 }).toEqual([]);
      expect(heard[0]).toBe(user.transcript[0]);
    });

    test.for(ifThere(user.selected))('what its person selects here is in the prompt of its model', (selected) => {
      const said = model.requests.flatMap(({ said: texts }) => texts).join('\n');
      expect(said).toContain(prompt);
      expect(said).toMatch(selected);
    });

    test.for(ifThere(user.asks?.('').told))('problems that Sightline finds reach its model', (told) => {
      const results = model.requests.at(-1)?.results ?? [];
      expect(results.at(-1)?.texts.join('\n')).toMatch(told);
    });

    test.for(user.reviews ? [after] : [])(
      'its edit waits for its person here, is then written, and can be undone',
      async (edit) => {
        expect(shown).toEqual([expect.stringContaining(`+${edit}`)]);
        // One of them drops the last newline of a new file.
        const written = () => readFileSync(join(ide.root, 'new.ts'), 'utf8').trimEnd();
        await expect.poll(written, { timeout: 30_000 }).toBe(edit.trimEnd());
        const person = await ide.connect({ face: 'all' });
        const changes = () => person.text('list_changes', { client: user.client.title });
        await expect.poll(changes, { timeout: 30_000 }).toContain('new.ts');
      },
    );
  });
});

function ifThere<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

/** The model writes a file, asks what else there is to ask, and ends. Its first word comes once the client has found its IDE. */
function scriptOf(user: IdeUser, root: string, connected: Promise<void>): ScriptedTurn[] {
  const file = join(root, 'new.ts');
  const write = hostedClients.find(({ agent }) => agent === user.agent)?.write;
  const calls = [
    ...(user.reviews && write !== undefined ? [write(file, after)] : []),
    ...(user.asks?.(file).calls ?? []),
  ];
  return [...calls.map((call) => ({ calls: [call], after: () => connected })), { text: 'All done.' }];
}

/** As the dashboard's "ask about this", once the client has shown that it listens to what is selected. */
async function askAbout(ide: RunningSightline, run: TerminalRun): Promise<void> {
  const [project] = ide.sightline.projects.list();
  if (project === undefined) throw new Error('no project');
  const selection = { path: join(ide.root, 'a.ts'), fromLine: 1, toLine: 1, text: before.trim() };
  await eventually(async () => {
    await ide.sightline.ide.select(project, selection, false);
    return eventually(() => /a\.ts|line selected/.test(run.screen), 500);
  }, limitMs);
  expect(await ide.sightline.ide.select(project, selection, true)).toBe(1);
  await eventually(() => run.screen.includes('@a.ts'), limitMs);
}

/** Types the prompt, and sends it once it stands on the screen. */
async function tell(run: TerminalRun): Promise<void> {
  run.type(prompt);
  const isTyped = () => run.screen.replaceAll(/\s/g, '').includes(prompt.replaceAll(' ', ''));
  await eventually(isTyped, limitMs);
  run.type('\r');
}

/** Notes what the client sends; resolves once it is connected. */
function listenTo(ide: RunningSightline, { protocol, lastGreeting }: IdeUser, heard: string[]): Promise<void> {
  return new Promise((resolve) => {
    ide.sightline.ide.onDidHear.on(({ protocol: by, message }) => {
      if (by !== protocol) return;
      heard.push(described(message));
      if (message['method'] === lastGreeting) resolve();
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
