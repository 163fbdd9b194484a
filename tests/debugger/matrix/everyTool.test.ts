import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGolden, type RunningSightline, startSightline } from '../../harness/harness.ts';
import { askTools } from '../../../src/tools/ask/askTools.ts';
import { ensureEngine, testCacheDir } from '../../support/engines.ts';
import { Dialogue } from './dialogue.ts';
import { walkThroughDebugger } from './debuggerWalk.ts';
import { languages } from './languages.ts';
import { walkThroughProbe } from './probeWalk.ts';

const goldens = join(import.meta.dirname, 'goldens');

const launchJson = JSON.stringify({
  configurations: languages.map(({ name, language, program }) => ({
    name: `${name} app`,
    type: language === 'python' ? 'debugpy' : 'node',
    request: 'launch',
    program: `\${workspaceFolder}/${program}`,
  })),
});

/** These have scenarios of their own. */
const ofSomeEngines = ['jump_to_line', 'restart_frame', 'replace_code'];

describe('every tool, in every language', () => {
  let ide: RunningSightline;
  beforeAll(async () => {
    await ensureEngine('debugpy');
    const files = Object.assign(
      { '.vscode/launch.json': launchJson },
      ...languages.map((each) => each.files),
    ) as Record<string, string>;
    ide = await startSightline({ project: files, env: { SIGHTLINE_CACHE: testCacheDir } });
  }, 180_000);
  afterAll(() => ide.dispose());

  describe.each(languages)('$name', (language) => {
    it('answers the 26 tools of the debugger face alike', async () => {
      const agent = await ide.connect({ face: 'debugger', output: 'both' });
      const names = (await agent.listTools()).filter((name) => !ofSomeEngines.includes(name));
      expect(names).toHaveLength(26);
      const dialogue = new Dialogue(agent, ide);
      await walkThroughDebugger(dialogue, language, ide.root);
      for (const name of names) expect(dialogue.tools, name).toContain(name);
      await expectGolden(join(goldens, `${language.id}.debugger.txt`), dialogue.transcript());
    });

    it('answers the 9 tools of the probe face alike', async () => {
      const agent = await ide.connect({ face: 'probe' });
      const names = (await agent.listTools()).filter((name) => askTools.every((tool) => tool.name !== name));
      expect(names).toHaveLength(9);
      const dialogue = new Dialogue(agent, ide);
      await walkThroughProbe(dialogue, language);
      for (const name of names) expect(dialogue.tools, name).toContain(name);
      await expectGolden(join(goldens, `${language.id}.probe.txt`), dialogue.transcript());
    });
  });
});
