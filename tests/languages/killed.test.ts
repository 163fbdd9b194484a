import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DaemonHome } from '../daemon/home.ts';
import { ensureEngine, testCacheDir } from '../support/engines.ts';
import { builtProgram, processesOf, type StdioProgram } from '../support/program.ts';
import { lineOf, projectOf, scenarioLanguages, type ScenarioLanguage } from './scenario/languages.ts';

const languages = scenarioLanguages.filter(({ name }) => ['Go', 'C++', 'Rust', 'Java'].includes(name));

/** What is there for each language while a program of it is debugged and its code is asked about. */
const engines: Record<string, { server: RegExp; debugger: RegExp }> = {
  Go: { server: /gopls/, debugger: /dlv/ },
  'C++': { server: /clangd/, debugger: /gdb/ },
  Rust: { server: /rust-analyzer/, debugger: /gdb/ },
  Java: { server: /jdt|equinox/, debugger: /jdwp/ },
};

describe('engines of every language, killed or left behind', { timeout: 300_000 }, () => {
  let home: DaemonHome;
  let client: StdioProgram;

  beforeAll(async () => {
    const program = await builtProgram();
    for (const engine of new Set(languages.flatMap((each) => [...each.debugEngines, ...each.indexEngines])))
      await ensureEngine(engine);
    home = await DaemonHome.create(program, {
      SIGHTLINE_CACHE: testCacheDir,
      HOME: process.env['HOME'] ?? '',
    });
    for (const language of languages)
      cpSync(projectOf(language), join(home.project, language.folder), { recursive: true });
    client = home.stdio(['--face', 'all']);
    await client.initialize();
  }, 600_000);
  afterAll(() => home.dispose());

  const ask = async ({ folder, cart, total }: ScenarioLanguage) =>
    JSON.stringify(await client.callTool('ide_find_references', { file: `${folder}/${cart}`, symbol: total }));
  const pids = (pattern: RegExp) =>
    processesOf(home.home)
      .filter(({ command }) => pattern.test(command) && !command.includes('telemetry'))
      .map(({ pid }) => pid);
  const debug = async ({ folder, main, cart, name }: ScenarioLanguage) => {
    const file = `${folder}/${cart}`;
    const started = JSON.stringify(
      await client.callTool('start_debug_session', {
        program: `${folder}/${main}`,
        breakpoints: [{ file, line: lineOf(home.project, file, 'add') }],
        wait_ms: 40_000,
      }),
    );
    expect(started, name).toContain('Stopped (breakpoint)');
    return /session_[\w-]+/.exec(started)?.[0] ?? '';
  };
  /** Ends the first of them while it has something to answer: it stands still when it is asked. */
  const killWhile = async (pattern: RegExp, call: () => Promise<string>) => {
    const [victim = -1] = pids(pattern);
    process.kill(victim, 'SIGSTOP');
    const answer = call();
    process.kill(victim, 'SIGKILL');
    return { answer: await answer, victim };
  };

  test.each(languages.map((language) => [language.name, language] as const))(
    'a language server of %s that is killed ends its question and is there for the next',
    async (name, language) => {
      const pattern = engines[name]?.server ?? /^$/;
      const asked = ask(language);
      await expect.poll(() => pids(pattern), { timeout: 60_000 }).not.toEqual([]);
      const victims = pids(pattern);
      for (const victim of victims) process.kill(victim, 'SIGKILL');
      // One that had answered already, or had not been asked yet, is no failure.
      expect(await asked).toMatch(/was killed by SIGKILL|did not start|references to|INCOMPLETE/);
      void ask(language);
      const others = () => pids(pattern).filter((pid) => !victims.includes(pid));
      await expect.poll(others, { timeout: 60_000 }).not.toEqual([]);
    },
  );

  test.each(languages.map((language) => [language.name, language] as const))(
    'a debugger of %s that is killed ends its session, with the program',
    async (name, language) => {
      const session_id = await debug(language);
      // What was compiled for it lies in a folder of ours.
      const program = /sightline-debug-/;
      expect(pids(program)).not.toEqual([]);
      const pattern = engines[name]?.debugger ?? /^$/;
      const { answer } = await killWhile(pattern, async () =>
        JSON.stringify(await client.callTool('evaluate_expression', { expression: 'sum + 1', session_id })),
      );
      expect(answer).toContain('isError');
      const status = async () =>
        JSON.stringify(await client.callTool('get_debug_session_status', { session_id, wait_ms: 5000 }));
      await expect.poll(status).toContain('Program ended');
      await expect.poll(() => [...pids(pattern), ...pids(program)]).toEqual([]);
    },
  );

  test('a kill of the process itself takes all of them with it, paused programs too', async () => {
    for (const language of languages) {
      await debug(language);
    }
    for (const [name, { server, debugger: program }] of Object.entries(engines)) {
      expect(pids(server), `server of ${name}`).not.toEqual([]);
      expect(pids(program), `debugger of ${name}`).not.toEqual([]);
    }
    process.kill(home.discovery().pid, 'SIGKILL');
    const left = () => home.processes().filter((line) => !line.includes(' stdio'));
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  });
});
