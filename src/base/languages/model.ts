/** What has to be known of a language before any engine is asked. Everything else stands in its server, adapter and test runners. */
export interface Language {
  id: string;
  /** As people write it. */
  title: string;
  /** Other names that people use for it. */
  aliases: readonly string[];
  /** Extensions without the dot, each with what language servers call such a file; the first is that of a new file. */
  extensions: Readonly<Record<string, string>>;
  /** Words for an extension of its own (`esm` for `mjs`). */
  extensionAliases?: Readonly<Record<string, string>>;
  /** The language whose engines serve this one too: C is served by those of C++. */
  family?: string;
  /** What the family is called when it is more than one language. */
  familyTitle?: string;
  comments?: { line?: readonly string[]; block?: readonly (readonly [string, string])[] };
  /** What begins and ends a string. */
  strings?: readonly string[];
  /** Names that only look like names: `hard` words are never names, `soft` ones are passed over when nothing else is meant. */
  keywords?: { hard: ReadonlySet<string>; soft: ReadonlySet<string> };
  /** Files that say what there is without holding its code. */
  declarationFiles?: RegExp;
  /** Files that hold tests by their name, whatever folder they are in. */
  testFiles?: RegExp;
  /** Names of files at the root of a project that say that it uses the language. */
  rootMarkers?: RegExp;
  /** Data or prose: files of it are not what a project is written in. */
  isData?: true;
  /** As run configurations name what runs a single file of it. */
  runs?: string;
}

export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** `{ ts: 'typescript' }` from `ts`: where all extensions are one to a language server. */
export function allAs(name: string, ...extensions: string[]): Record<string, string> {
  return Object.fromEntries(extensions.map((extension) => [extension, name]));
}
