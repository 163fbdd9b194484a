import type { FileRange } from '../../../../protocol/lsp/convert.ts';
import type { CodeWorkspace } from '../../codeWorkspace.ts';
import type { LanguageServer } from '../../languageServer.ts';
import { occurrencesOfWord } from '../../sourceFiles.ts';
import { askDefinition } from '../requests/definition.ts';

/** More places than this with the same word are not asked about one by one. */
const maxCandidates = 3000;

/** References found the other way round: every place with a word whose definition is the wanted one. */
export async function placesByDefinition(
  workspace: CodeWorkspace,
  server: LanguageServer,
  word: string,
  isCandidate: (place: FileRange) => boolean,
  isWanted: (definition: FileRange) => boolean,
  signal?: AbortSignal,
  /** Definitions outside of the project that only pass something on. */
  passesOn?: (definition: FileRange) => boolean,
): Promise<{ references: FileRange[]; complete: boolean }> {
  const extensions = Object.keys(server.definition.languages);
  const words = await occurrencesOfWord(workspace.project, word, extensions, signal);
  const candidates = words.filter(isCandidate);
  const asked = candidates.slice(0, maxCandidates);
  const definitions = await Promise.all(
    asked.map(async (place) => {
      if ((await workspace.texts.tryGet(place.path)) === undefined) return [];
      const at = { path: place.path, position: place.range.start };
      return askDefinition(server, 'textDocument/definition', at, signal);
    }),
  );
  const passed = passesOn === undefined ? new Set<string>() : await leadingOn(definitions.flat().filter(passesOn));
  // A name may lead to an import that leads to what is wanted.
  const found = new Map<string, FileRange>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [index, place] of asked.entries())
      if (
        definitions[index]?.some(
          (definition) => isWanted(definition) || passed.has(keyOf(definition)) || found.has(keyOf(definition)),
        )
      )
        found.set(keyOf(place), place);
  }
  return { references: [...found.values()], complete: candidates.length === asked.length };

  async function leadingOn(stones: readonly FileRange[]): Promise<Set<string>> {
    const distinct = new Map(stones.map((stone) => [keyOf(stone), stone]));
    const keys = await Promise.all(
      [...distinct].map(async ([key, { path, range }]) => {
        const next = await askDefinition(server, 'textDocument/definition', { path, position: range.start }, signal);
        return next.some(isWanted) ? [key] : [];
      }),
    );
    return new Set(keys.flat());
  }
}

function keyOf({ path, range }: FileRange): string {
  return `${path}:${range.start.line}:${range.start.column}`;
}
