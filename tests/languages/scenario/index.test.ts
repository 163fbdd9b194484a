import { afterEach, describe, it } from 'vitest';
import { type RunningSightline, startSightline } from '../../harness/harness.ts';
import { ensureEngine } from '../../support/engines.ts';
import { Findings } from './findings.ts';
import { indexScenario } from './indexScenario.ts';
import { projectOf, scenarioLanguages } from './languages.ts';

describe('the same questions about code in every language', { timeout: 400_000 }, () => {
  let ide: RunningSightline | undefined;
  afterEach(() => ide?.dispose());

  it.each(scenarioLanguages.map((language) => [language.name, language] as const))('%s', async (_name, language) => {
    for (const engine of language.indexEngines) await ensureEngine(engine);
    ide = await startSightline({ project: projectOf(language) });
    const found = new Findings(await ide.connect({ face: 'index' }));
    await indexScenario(language, ide.root, found);
    await found.compare(language.folder, 'index');
  });
});
