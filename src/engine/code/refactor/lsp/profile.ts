import type { LanguageCapabilities } from '../capabilities.ts';

/** What a language server refactors, as data: which of its code actions does what, and how it names what it makes. */
export interface LspRefactoring extends LanguageCapabilities {
  /** By the scope that is asked for; the first kind that offers something is taken. */
  extractMethod?: ExtractAction;
  extractVariable?: ExtractAction & { all?: string };
  /** Kinds of code actions at a use. */
  inline?: readonly string[];
  /** Text before a declaration on its first line that belongs to it. */
  declarationHead: RegExp;
  /** Why a declaration cannot be taken away alone, told from the text of its file and its line. */
  undeletable?(text: string, line: number): string | undefined;
  /** What is shown of a file in memory is not seen by the others that include it. */
  readsDisk?: boolean;
  /** Whether a line holds nothing but the declaration of a local variable, which the compiler refuses once nothing uses it. */
  unusedLine?(line: string, name: string): boolean;
  /** Inlining a variable replaces every use and takes the declaration away. */
  inlinesWhole?: boolean;
  /** The server says what moving a file changes elsewhere. */
  serverMovesFiles?: boolean;
  /** Files may be renamed within their folder, where no name of theirs is used. */
  filesHaveNoName?: boolean;
}

export interface ExtractAction {
  kinds: readonly string[];
  /** Which of several actions of one kind, by its title. */
  title?: RegExp;
  /** The name that the server gives, to be replaced by the wanted one. */
  madeName: RegExp;
}
