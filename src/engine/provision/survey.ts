import type { Project } from '../workspace/project.ts';
import { languageTitles } from './languages.ts';
import { languageIds, type LanguageId } from '../../base/languages/table.ts';
import type { EngineRole, LocatedEngine } from './model.ts';
import type { Provision } from './provision.ts';

export interface LanguageReport {
  language: LanguageId;
  title: string;
  /** Nothing that is used and that `setup` could install is missing: one engine of each role is there. */
  complete: boolean;
  engines: readonly (LocatedEngine & { optional: boolean })[];
}

/** What is there for each language, and what is not. */
export async function survey(provision: Provision, project?: Project): Promise<LanguageReport[]> {
  const located = await Promise.all(
    provision.engines.map(async (engine) => ({ engine, located: await provision.locate(engine.id, project) })),
  );
  return languageIds.map((language) => {
    const engines = located
      .filter(({ engine }) => engine.languages.includes(language))
      .map(({ engine, located: found }) => ({ ...found, optional: engine.optional === true }));
    const needed: EngineRole[] = ['toolchain', 'debugger', 'languageServer', 'refactoring'];
    const complete = needed.every((role) => {
      const ofRole = engines.filter((each) => each.role === role);
      return ofRole.length === 0 || ofRole.some((each) => each.found);
    });
    return { language, title: languageTitles[language], complete, engines };
  });
}
