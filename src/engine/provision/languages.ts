import { languageNamed as languageCalled } from '../../base/languages/byPath.ts';
import { languageIds, languages, type LanguageId } from '../../base/languages/table.ts';

export const languageTitles = Object.fromEntries(
  languageIds.map((id) => {
    const language = languages.find((each) => each.id === id);
    return [id, language?.familyTitle ?? language?.title ?? id];
  }),
) as Readonly<Record<LanguageId, string>>;

/** The language a person means; undefined when it is none that Sightline knows. */
export function languageNamed(name: string): LanguageId | undefined {
  const language = languageCalled(name);
  return languageIds.find((id) => id === (language?.family ?? language?.id));
}

export function languagesOfFiles(names: readonly string[]): LanguageId[] {
  return languageIds.filter((id) =>
    languages.some((each) => each.id === id && names.some((name) => each.rootMarkers?.test(name) === true)),
  );
}
