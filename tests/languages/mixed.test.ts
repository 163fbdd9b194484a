import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSightline, startSightline, type TestClient } from '../harness/harness.ts';
import { ensureEngine } from '../support/engines.ts';
import { lineOf, projectOf, scenarioLanguages } from './scenario/languages.ts';

const mixed = scenarioLanguages.filter(({ name }) => ['JavaScript', 'Python', 'Go', 'Rust', 'Java'].includes(name));

/** One project with a folder for each language. */
function files(): Record<string, string> {
  const found: Record<string, string> = {};
  const take = (folder: string, prefix: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) take(path, `${prefix}${name}/`);
      else if (!/broken/i.test(path)) found[`${prefix}${name}`] = readFileSync(path, 'utf8');
    }
  };
  for (const language of mixed) take(projectOf(language), `${language.folder}/`);
  return found;
}

describe('a project of five languages', { timeout: 300_000 }, () => {
  let ide: RunningSightline;
  let agent: TestClient;
  beforeAll(async () => {
    for (const engine of new Set(mixed.flatMap(({ debugEngines }) => debugEngines))) await ensureEngine(engine);
    await ensureEngine('gopls');
    ide = await startSightline({ project: files() });
    agent = await ide.connect({ face: 'debugger' });
  }, 400_000);
  afterAll(() => ide.dispose());

  it('is debugged in all of them at once, each session by itself', async () => {
    const sessions: Record<string, string> = {};
    for (const { folder, main, cart, name } of mixed) {
      const file = `${folder}/${cart}`;
      const started = await agent.data('start_debug_session', {
        program: `${folder}/${main}`,
        breakpoints: [{ file, line: lineOf(ide.root, file, 'add'), condition: 'cost > 500' }],
        wait_ms: 40_000,
      });
      expect(started, name).toMatchObject({ state: 'paused', stop: { location: { file: join(ide.root, file) } } });
      sessions[name] = String(started['sessionId']);
    }
    const { sessions: listed } = await agent.data('list_debug_sessions');
    expect((listed as { language: string; state: string }[]).map(({ language, state }) => [language, state])).toEqual(
      expect.arrayContaining([
        ['node', 'paused'],
        ['python', 'paused'],
        ['go', 'paused'],
        ['rust', 'paused'],
        ['java', 'paused'],
      ]),
    );
    for (const [name, session_id] of Object.entries(sessions)) {
      const value = await agent.data('evaluate_expression', { expression: 'sum + cost', session_id });
      expect(value, name).toMatchObject({ result: { value: '1000' } });
      const end = await agent.data('resume_execution', { session_id, wait_ms: 30_000 });
      expect(end, name).toMatchObject({ state: 'stopped', exitCode: 0 });
      expect(end['output'], name).toContain('half');
    }
  });

  it('is navigated in several of them', async () => {
    const index = await ide.connect({ face: 'index', output: 'text' });
    for (const folder of ['javascript', 'python', 'go']) {
      const language = mixed.find((each) => each.folder === folder);
      const file = `${folder}/${language?.main ?? ''}`;
      const line = lineOf(ide.root, file, 'call');
      const text = await index.text('ide_find_definition', { file, line, text: `${language?.total ?? ''}(` });
      expect(text).toContain(`${folder}/${language?.cart ?? ''}`);
    }
  });
});
