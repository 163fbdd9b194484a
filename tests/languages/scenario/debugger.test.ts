import { afterEach, describe, it } from 'vitest';
import { type RunningSightline, startSightline } from '../../harness/harness.ts';
import { ensureEngine } from '../../support/engines.ts';
import { askScenario } from './askScenario.ts';
import { debuggerScenario } from './debuggerScenario.ts';
import { Findings } from './findings.ts';
import { projectOf, scenarioLanguages } from './languages.ts';

describe('the same debugging in every language', { timeout: 400_000 }, () => {
  let ide: RunningSightline | undefined;
  afterEach(() => ide?.dispose());

  it.each(scenarioLanguages.map((language) => [language.name, language] as const))('%s', async (_name, language) => {
    for (const engine of language.debugEngines) await ensureEngine(engine);
    ide = await startSightline({ project: projectOf(language) });
    language.prepare?.(ide.root);
    const found = new Findings(await ide.connect({ face: 'debugger', output: 'both' }));
    await debuggerScenario(language, ide.root, found);
    await askScenario(language, ide.root, found);
    await found.compare(language.folder, 'debugger');
  });
});
