import { ToolError } from '../../../../base/errors.ts';
import type { LineIndex } from '../../../../base/positions.ts';
import type { Project } from '../../../workspace/project.ts';
import { occurrencesOfWord, type WordPlace } from '../../sourceFiles.ts';
import { sourceExtensions } from './compiler.ts';
import type { RefactorWaiting } from '../model.ts';

const maxFiles = 4000;

/** Where a name stands in the project's sources, in whatever meaning. */
export interface Mentions {
  files: string[];
  places: WordPlace[];
}

export async function mentionsOf(project: Project, name: string, waiting: RefactorWaiting): Promise<Mentions> {
  const places = await occurrencesOfWord(project, name.replace(/^#/, ''), sourceExtensions, waiting.signal);
  const files = [...new Set(places.map((place) => place.path))];
  if (files.length > maxFiles)
    throw new ToolError(
      'too_large',
      `"${name}" occurs in more than ${maxFiles} files; that is too many to be sure of.`,
    );
  return { files, places };
}

/** The same within one file: nothing outside of it can mean a name of a function or block. */
export function mentionsIn(path: string, text: LineIndex, name: string): Mentions {
  const word = new RegExp(`(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`, 'g');
  const places = [...text.text.matchAll(word)].map(({ index }) => {
    const start = text.positionAt(index);
    const range = { start, end: { line: start.line, column: start.column + name.length } };
    return { path, range, lineText: text.lineText(start.line) ?? '' };
  });
  return { files: places.length > 0 ? [path] : [], places };
}
