import type { CodeWorkspace } from '../codeWorkspace.ts';
import { occurrencesOfWord, type WordPlace } from '../sourceFiles.ts';

/** The words of one state of the project: whoever asks for the same one twice looks for it once. */
interface KnownWords {
  generation: number;
  places: Map<string, Promise<WordPlace[]>>;
}

const known = new WeakMap<CodeWorkspace, KnownWords>();
const maxKnown = 32;

/** Every place where a word stands in source files with these extensions, comments and strings included. */
export async function wordPlaces(
  workspace: CodeWorkspace,
  word: string,
  extensions: readonly string[],
  signal?: AbortSignal,
): Promise<WordPlace[]> {
  const words = wordsOf(workspace);
  const key = `${word}\0${extensions.join()}`;
  const found = words.places.get(key) ?? occurrencesOfWord(workspace.project, word, extensions, signal);
  words.places.delete(key);
  words.places.set(key, found);
  for (const oldest of words.places.keys()) {
    if (words.places.size <= maxKnown) break;
    words.places.delete(oldest);
  }
  try {
    return await found;
  } catch (error) {
    words.places.delete(key);
    if (signal?.aborted === true) throw error;
    // Somebody else may have given up on it.
    return occurrencesOfWord(workspace.project, word, extensions, signal);
  }
}

function wordsOf(workspace: CodeWorkspace): KnownWords {
  const { generation } = workspace;
  const words = known.get(workspace);
  if (words?.generation === generation) return words;
  const fresh = { generation, places: new Map<string, Promise<WordPlace[]>>() };
  known.set(workspace, fresh);
  return fresh;
}
