import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeOf, withoutMarks } from './caseMarks.ts';

type Files = Readonly<Record<string, string>>;

/** One refactoring of a small project: `cases/README.md` describes its text. */
export interface RefactorCase {
  /** Its path below the folder of its language, without the ending. */
  name: string;
  path: string;
  tool: string;
  args: Readonly<Record<string, unknown>>;
  files: Files;
  /** The text up to the expected answer, which follows it. */
  given: string;
}

const here = dirname(fileURLToPath(import.meta.url));
const expectedLine = '-- expected --\n';

export function casesOf(language: string): RefactorCase[] {
  const folder = join(here, 'cases', language);
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((file) => {
      const path = join(folder, file);
      const name = file.slice(0, -'.txt'.length);
      return { name, path, ...readCase(readFileSync(path, 'utf8'), () => projectOf(language)) };
    });
}

/** Throws where the author of the case made a mistake: no call, two places, an excerpt that is not in the project. */
export function readCase(text: string, project: () => Files): Omit<RefactorCase, 'name' | 'path'> {
  const end = text.indexOf(`\n${expectedLine}`) + 1;
  const before = end === 0 ? text : text.slice(0, end);
  const [call, ...sections] = sectionsOf(before);
  if (call?.name !== 'call') throw new Error('The first section is the call.');
  const [tool = '', ...args] = call.content.trim().match(/(?:"(?:\\.|[^"\\])*"|\S)+/g) ?? [];
  const own = sections.filter(({ name }) => !name.startsWith('in ')).map(visible);
  const files =
    own.length === 0 ? project() : Object.fromEntries(own.map((one) => [one.name, withoutMarks(one.content)]));
  const excerpts = sections.filter(({ name }) => name.startsWith('in ')).map((one) => inPlace(one, files));
  const place = placeOf([...own, ...excerpts], tool.includes('extract'));
  return { tool, args: { ...place, ...argumentsOf(args) }, files, given: before + expectedLine };
}

export interface Section {
  name: string;
  content: string;
}

function sectionsOf(text: string): Section[] {
  const [, ...parts] = text.split(/^-- (.+) --\n/m);
  return parts.flatMap((name, at) => (at % 2 === 0 ? [{ name, content: parts[at + 1] ?? '' }] : []));
}

function argumentsOf(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value = ''] = /^(\w+)=(.*)$/.exec(word) ?? [];
      if (name === undefined) throw new Error(`An argument is name=value, not ${word}.`);
      return [name, /^(true|false|\d+|".*")$/.test(value) ? (JSON.parse(value) as unknown) : value];
    }),
  );
}

/** What cannot be seen in a text is written by pictures of control characters. */
function visible({ name, content }: Section): Section {
  return { name, content: content.replaceAll('␍', '\r').replace(/^␂/, '\ufeff').replace(/␄\n$/, '') };
}

/** The whole file, with the marks of an excerpt at the place where it stands. */
function inPlace({ name, content }: Section, files: Files): Section {
  const file = name.slice('in '.length);
  const [before = '', after, ...more] = `\n${files[file] ?? ''}`.split(`\n${withoutMarks(content)}`);
  if (after === undefined || more.length > 0) throw new Error(`${file} has the excerpt not once: ${content}`);
  return { name: file, content: `${before}\n${content}${after}`.slice(1) };
}

function projectOf(language: string): Files {
  const folder = join(here, 'projects', language);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}
