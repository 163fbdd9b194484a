import { codeLanguageOfPath } from '../../base/languages/byPath.ts';

/** How many files of each language there are, most first. */
export function countLanguages(files: Iterable<string>): { language: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = codeLanguageOfPath(file)?.title;
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, count]) => ({ language, files: count }))
    .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}
