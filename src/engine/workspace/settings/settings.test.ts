import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { environmentVariable, settingKeys, settingOf } from './settings.ts';
import { loadSettings, problemText, type SettingsSources } from './loader.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-settings-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(given: {
  person?: string;
  project?: string;
  env?: NodeJS.ProcessEnv;
  flags?: SettingsSources['flags'];
}) {
  if (given.person !== undefined) writeFileSync(join(folder, 'config.json'), given.person);
  if (given.project !== undefined) writeFileSync(join(folder, '.sightline.json'), given.project);
  const sources: SettingsSources = {
    configDir: folder,
    env: given.env ?? {},
    ...(given.flags && { flags: given.flags }),
  };
  const loaded = await loadSettings(sources, folder);
  return { ...loaded, texts: loaded.problems.map((problem) => problemText(problem).replace(`${folder}/`, '')) };
}

test('every default fits its own schema, and broken values never loosen a policy', () => {
  for (const key of settingKeys) {
    const setting = settingOf(key);
    expect(setting.check(setting.default)).toEqual({ value: setting.default });
    expect(setting.check(setting.whenBroken)).toEqual({ value: setting.whenBroken });
    expect(setting.strictness(setting.whenBroken)).toBeGreaterThanOrEqual(setting.strictness(setting.default));
  }
});

test('without any source the defaults hold', async () => {
  const { settings, problems } = await load({});
  expect(settings['policy.destructive']).toBe('ask');
  expect(settings['history.maxEntries']).toBe(500);
  expect(problems).toEqual([]);
});

test('person, project, environment, flags: the later wins', async () => {
  const person = '{ // mine\n "output": {"maxChars": 1000}, "log.level": "warn", }';
  const project = '{"output.maxChars": 2000}';
  expect((await load({ person })).settings).toMatchObject({ 'output.maxChars': 1000, 'log.level': 'warn' });
  expect((await load({ person, project })).settings['output.maxChars']).toBe(2000);
  const env = { SIGHTLINE_OUTPUT_MAX_CHARS: '3000', SIGHTLINE_EVALUATION_BLOCKED_PATTERNS: 'a.org, b.org' };
  expect((await load({ person, project, env })).settings).toMatchObject({
    'output.maxChars': 3000,
    'evaluation.blockedPatterns': ['a.org', 'b.org'],
  });
  const loaded = await load({ person, project, env, flags: { 'output.maxChars': '4000' } });
  expect(loaded.settings['output.maxChars']).toBe(4000);
  expect(loaded.origins.get('output.maxChars')).toBe('flags');
  expect(environmentVariable('history.maxEntries')).toBe('SIGHTLINE_HISTORY_MAX_ENTRIES');
});

describe("a project's file", () => {
  test('may tighten, and what the person forbids stays forbidden', async () => {
    const { settings, texts } = await load({
      person: '{"policy": {"execute": "ask", "destructive": "deny"}, "evaluation.blockedPatterns": ["a"]}',
      project:
        '{"policy": {"edit": "deny", "execute": "allow", "destructive": "allow"}, "evaluation": {"mode": "unrestricted", "blockedPatterns": ["b"]}}',
    });
    expect(settings).toMatchObject({
      'policy.edit': 'deny',
      'policy.execute': 'ask',
      'policy.destructive': 'deny',
      'evaluation.mode': 'default_blocklist',
      'evaluation.blockedPatterns': ['a', 'b'],
    });
    expect(texts).toEqual([
      '.sightline.json: policy.execute: a project cannot loosen it to "allow"; it stays "ask".',
      '.sightline.json: policy.destructive: a project cannot loosen it to "allow"; it stays "deny".',
      '.sightline.json: evaluation.mode: a project cannot loosen it to "unrestricted"; it stays "default_blocklist".',
    ]);
  });

  test('cannot loosen what flags and environment decided either', async () => {
    const { settings } = await load({
      project: '{"policy.execute": "ask"}',
      flags: { 'policy.execute': 'deny' },
    });
    expect(settings['policy.execute']).toBe('deny');
  });

  test('cannot name programs, ports or trust', async () => {
    const { settings, problems } = await load({
      project:
        '{"engines": {"paths": {"gopls": "./evil"}}, "server.port": 1, "projects": {"trusted": ["/"], "openByCall": true}}',
    });
    for (const key of settingKeys) expect(settings[key]).toEqual(settingOf(key).default);
    expect(problems).toHaveLength(4);
  });

  test('no setting at all can be loosened by it', async () => {
    for (const key of settingKeys) {
      const setting = settingOf(key);
      if (setting.scope !== 'tighten' || setting.additive) continue;
      for (const value of ['allow', 'ask', 'deny', 'unrestricted', 'default_blocklist', 'read_only']) {
        const { settings } = await load({ project: JSON.stringify({ [key]: value }) });
        expect(setting.strictness(settings[key])).toBeGreaterThanOrEqual(setting.strictness(setting.default));
      }
    }
  });
});

describe('mistakes', () => {
  test('a syntax error is told with its place, and the strict policy holds', async () => {
    const { settings, texts } = await load({ person: '{\n  "policy": {\n    "execute" "deny"\n  }\n}' });
    expect(texts[0]).toMatch(/^config\.json:3:15: this is not valid JSON here \(colon expected\)/);
    expect(settings).toMatchObject({ 'policy.execute': 'ask', 'policy.edit': 'ask', 'evaluation.mode': 'read_only' });
  });

  test('a wrong value and an unknown name are told with their place; the rest counts', async () => {
    const { settings, texts } = await load({
      person: '{\n  "policy": {"execute": "dney"},\n  "histroy.maxEntries": 5,\n  "log": {"level": "error"}\n}',
    });
    expect(texts).toEqual([
      'config.json:2:25: policy.execute: Invalid option: expected one of "allow"|"ask"|"deny". It counts as "ask".',
      'config.json:3:3: there is no setting "histroy.maxEntries". Did you mean "history.maxEntries"?',
    ]);
    expect(settings).toMatchObject({ 'policy.execute': 'ask', 'log.level': 'error' });
  });

  test.each(['', '[]', '5', 'null', '\u0000\u0001', '{"policy": ', '{'])('the file %j does no harm', async (person) => {
    const { settings, problems } = await load({ person });
    expect(problems).toHaveLength(1);
    expect(settings['policy.destructive']).toBe('ask');
  });

  test('a wrong variable is named', async () => {
    const { texts } = await load({ env: { SIGHTLINE_SERVER_PORT: 'many' } });
    expect(texts[0]).toMatch(/^environment: SIGHTLINE_SERVER_PORT: /);
  });
});
