import { basename, dirname } from 'node:path';
import { ToolError } from '../../../../../base/errors.ts';
import type { LineIndex } from '../../../../../base/positions.ts';
import type { Project } from '../../../../workspace/project.ts';
import { sourceFilters, type WordPlace } from '../../../sourceFiles.ts';
import { runRipgrep } from '../../../../workspace/ripgrep.ts';
import { sourceExtensions } from '../syntax/compiler.ts';
import type { RefactorWaiting } from '../../model.ts';
import { type RenamePlace, placeKey } from '../servers/backend.ts';
import { escapeRegExp } from '../../../../../base/text/escapeRegExp.ts';

const maxFiles = 4000;

/** Where a name stands in the project's sources, in whatever meaning. */
export interface Mentions {
  files: string[];
  places: WordPlace[];
}

/** A line that names a module as imports do, as far as its text tells. */
export interface ModuleMention {
  path: string;
  line: number;
  /** What stands on the line before the name of the module. Undefined when only the line before says that a name may come here. */
  before: string | undefined;
}

/** What a rename has to know of the text of a project. */
export interface Survey {
  old: Mentions;
  fresh: Mentions;
  /** Lines that could import the module in which the name is declared. */
  imports: ModuleMention[];
}

/** Told what a survey finds while it is still looking. */
interface SurveyListener {
  /** A file holds the old name. */
  onFile: (path: string) => void;
  /** A line could import the module; `specifier` finds what names it there. */
  onImport: (mention: ModuleMention, specifier: RegExp) => void;
}

/** Looks through the project once for both names and for imports of a module. */
export async function survey(
  project: Project,
  { oldName, newName, modulePath }: { oldName: string; newName: string; modulePath: string },
  waiting: RefactorWaiting,
  listener?: SurveyListener,
): Promise<Survey> {
  const [oldWord, newWord] = [oldName.replace(/^#/, ''), newName.replace(/^#/, '')];
  const specifier = specifierPattern(modulePath);
  const old = new MentionList(oldWord, listener?.onFile);
  const fresh = new MentionList(newWord);
  const imports: ModuleMention[] = [];
  const quoted = new RegExp(specifier, 'g');
  const named = new RegExp(specifier);
  const addImport = (mention: ModuleMention): void => {
    imports.push(mention);
    listener?.onImport(mention, named);
  };
  const take = (record: string): void => {
    const [path, rest] = record.split('\0');
    const colon = rest?.indexOf(':') ?? -1;
    if (path === undefined || rest === undefined || colon === -1) return;
    const line = Number(rest.slice(0, colon));
    const isMarked = rest.charCodeAt(colon + 1) === 0xfeff;
    const text = rest.slice(colon + (isMarked ? 2 : 1), rest.endsWith('\r') ? -1 : undefined);
    old.addFrom(path, line, text);
    fresh.addFrom(path, line, text);
    if (!/from|import|require|mock/.test(text)) return;
    for (const { index } of text.matchAll(quoted)) addImport({ path, line, before: text.slice(0, index) });
    if (/(?:from|import|require|mock)[ \t]*\(?[ \t]*$/.test(text) && !/^\s*(?:\*|\/\/|\/\*)/.test(text))
      addImport({ path, line: line + 1, before: undefined });
  };
  await runRipgrep(project, {
    separator: '\n',
    args: [
      ...['--null', '--line-number', '--no-heading', '--with-filename', '--color=never'],
      ...sourceFilters(sourceExtensions),
      ...['-e', ripgrepWord(oldWord), '-e', ripgrepWord(newWord)],
      ...['-e', `(?:from|import|require|mock)[ \\t]*\\(?[ \\t]*(?:${specifier}|\\r?$)`, '--', project.root],
    ],
    signal: waiting.signal,
    // Each line as it comes: the program is still looking meanwhile.
    onRecord: (record) => {
      take(record);
      return true;
    },
  });
  return { old: old.whole(oldName), fresh: fresh.whole(newName), imports };
}

/**
 * A word for ripgrep, found in more places than it should where letters beyond ASCII stand beside it: the exact rule would take the
 * search twenty times as long, and what is found is looked at once more.
 */
function ripgrepWord(word: string): string {
  const edge = (character: string) => (/\w/.test(character) ? '(?-u:\\b)' : '');
  return `${edge(word.charAt(0))}${word.replace(/[$+*?()|[\]{}.^\\]/g, '\\$&')}${edge(word.charAt(word.length - 1))}`;
}

/** The same within one file: nothing outside of it can mean a name of a function or block. */
export function surveyWithin(path: string, text: LineIndex, oldName: string, newName: string): Survey {
  const [old, fresh] = [mentionsIn(path, text, oldName), mentionsIn(path, text, newName)];
  return { old, fresh, imports: [] };
}

function mentionsIn(path: string, text: LineIndex, name: string): Mentions {
  const word = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`, 'g');
  const places = [...text.text.matchAll(word)].map(({ index }) => {
    const start = text.positionAt(index);
    const range = { start, end: { line: start.line, column: start.column + name.length } };
    return { path, range, lineText: text.lineText(start.line) ?? '' };
  });
  return { files: places.length > 0 ? [path] : [], places };
}

/** The ways in which a relative import can name a file: by itself, or as the index of its folder. */
function specifierPattern(path: string): string {
  const stem = basename(path).replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const stems = [stem, 'index', basename(dirname(path))].map((one) => one.replace(/[$+*?()|[\]{}.^\\]/g, '\\$&'));
  return `['"](?:[^'"\\n]*/)?(?:${[...stems, '\\.{1,2}'].join('|')})(?:\\.[cm]?[jt]sx?)?/?['"]`;
}

class MentionList {
  readonly #word: string;
  readonly #places: WordPlace[] = [];
  readonly #files = new Set<string>();

  readonly #onFile: (path: string) => void;

  constructor(word: string, onFile: (path: string) => void = () => undefined) {
    this.#word = word;
    this.#onFile = onFile;
  }

  addFrom(path: string, line: number, lineText: string): void {
    const { length } = this.#word;
    for (let at = lineText.indexOf(this.#word); at !== -1; at = lineText.indexOf(this.#word, at + length)) {
      if (isWordCharacter(lineText, at - 1) || isWordCharacter(lineText, at + length)) continue;
      if (!this.#files.has(path)) this.#onFile(path);
      this.#files.add(path);
      const range = { start: { line, column: at + 1 }, end: { line, column: at + 1 + length } };
      this.#places.push({ path, range, lineText });
    }
  }

  whole(name: string): Mentions {
    if (this.#files.size > maxFiles)
      throw new ToolError(
        'too_large',
        `"${name}" occurs in more than ${maxFiles} files; that is too many to be sure of.`,
      );
    // Ripgrep's order differs from time to time.
    this.#places.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    return { files: [...this.#files].sort(), places: this.#places };
  }
}

function isWordCharacter(text: string, at: number): boolean {
  const character = text.charAt(at);
  return character < '\x80' ? /\w/.test(character) : /[\p{L}\p{N}\p{M}\p{Pc}]/u.test(character);
}

/** Mentions that a rename leaves alone. */
export function remaining(places: readonly RenamePlace[], mentions: Mentions): WordPlace[] {
  const changed = new Set(places.map(placeKey));
  return mentions.places.filter((place) => !changed.has(placeKey(place)));
}
