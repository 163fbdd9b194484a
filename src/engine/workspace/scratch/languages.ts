import { languageNamed as languageCalled, languageOfPath } from '../../../base/languages/byPath.ts';
import { languages } from '../../../base/languages/table.ts';

/** What a scratch file of a language is called and run with. */
interface ScratchLanguage {
  extension: string;
  /** As run configurations name it; absent for what is not run. */
  runs?: string;
}

/** Names that people write for languages of scratch files, for those who guess wrong. */
export const scratchLanguageNames: readonly string[] = languages.map(({ id }) => id);

/** By the name of a language (`python`), or an extension of its own (`mjs`). */
export function languageNamed(name: string): ScratchLanguage | undefined {
  const wanted = name.toLowerCase().replace(/^\./, '');
  const extension = languages.find((each) => each.extensionAliases?.[wanted])?.extensionAliases?.[wanted] ?? wanted;
  const byExtension = languages.find((each) => extension in each.extensions);
  const language = languageCalled(wanted) ?? byExtension;
  if (language === undefined) return undefined;
  const isOwn = extension in language.extensions;
  const [first = extension] = Object.keys(language.extensions);
  return scratch(isOwn ? extension : first, language.runs);
}

export function languageOfScratch(file: string): ScratchLanguage | undefined {
  const language = languageOfPath(file);
  return language === undefined ? undefined : scratch(file.slice(file.lastIndexOf('.') + 1), language.runs);
}

function scratch(extension: string, runs: string | undefined): ScratchLanguage {
  return { extension, ...(runs === undefined ? {} : { runs }) };
}
