import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import { occurrencesOfWord } from '../../sourceFiles.ts';

const extensions = ['vue', 'svelte', 'astro'];
const maxPlaces = 100;

/**
 * Places of a name in components, whose scripts TypeScript's server does not read. They may be uses: a list without a word about them
 * would look complete.
 */
export async function componentUses(
  workspace: CodeWorkspace,
  name: string,
  signal?: AbortSignal,
): Promise<FileRange[]> {
  if ((await workspace.listFiles(extensions, signal)).length === 0) return [];
  const words = await occurrencesOfWord(workspace.project, name, extensions, signal);
  return words.slice(0, maxPlaces).map(({ path, range }) => ({ path, range }));
}
