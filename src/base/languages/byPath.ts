import type { Language } from './model.ts';
import { languages } from './table.ts';

const byExtension = new Map(
  languages.flatMap((language) => Object.keys(language.extensions).map((extension) => [extension, language] as const)),
);

/** The extension of a path without its dot; the path may also be the extension itself, with or without its dot. */
function extensionIn(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

export function languageOfPath(path: string): Language | undefined {
  return byExtension.get(extensionIn(path));
}

/** What a project is written in, as far as a file tells; data and prose are nothing of the kind. */
export function codeLanguageOfPath(path: string): Language | undefined {
  const language = languageOfPath(path);
  return language?.isData === true ? undefined : language;
}

/** The language that a person means by a name. */
export function languageNamed(name: string): Language | undefined {
  const wanted = name.toLowerCase();
  return languages.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}

/** The language whose engines serve a file: `typescript` for JavaScript too. */
export function familyOfPath(path: string): string | undefined {
  const language = languageOfPath(path);
  return language?.family ?? language?.id;
}

/** All extensions of a family, without dots, each with what language servers call such a file. */
export function extensionsOfFamily(id: string): Record<string, string> {
  const members = languages.filter((each) => each.id === id || each.family === id);
  return Object.assign({}, ...members.map((each) => each.extensions)) as Record<string, string>;
}

/** TypeScript and JavaScript. */
export function isScriptFile(path: string): boolean {
  return familyOfPath(path) === 'typescript';
}

export function isJavascriptFile(path: string): boolean {
  return languageOfPath(path)?.id === 'javascript';
}

export function isTypescriptFile(path: string): boolean {
  return languageOfPath(path)?.id === 'typescript';
}

/** Whether a file only says what there is, without its code. */
export function isDeclarationFile(path: string): boolean {
  return languageOfPath(path)?.declarationFiles?.test(path) === true;
}

/** Types of TypeScript without code. */
export function isTypeDeclarationFile(path: string): boolean {
  return isTypescriptFile(path) && isDeclarationFile(path);
}

/** What a language server calls files by their extensions, for all languages of a family. */
export function dottedExtensions(family: string): string[] {
  return Object.keys(extensionsOfFamily(family)).map((extension) => `.${extension}`);
}

/** Of TypeScript and JavaScript, with their dots. */
export const scriptExtensions: readonly string[] = dottedExtensions('typescript');

/** The ending of a TypeScript or JavaScript file, or of JavaScript alone, as specifiers of imports have it. */
export const scriptEnding = /\.[cm]?[jt]sx?$/;
export const javascriptEnding = /\.[cm]?jsx?$/;

export function isPythonFile(path: string): boolean {
  return languageOfPath(path)?.id === 'python';
}

const testFiles = [...new Set(languages.flatMap(({ testFiles: pattern }) => pattern ?? []))];

/** Whether a path is test code by the usual names. Paths are relative to the project or absolute. */
export function isTestPath(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|__mocks__|specs?|testing|e2e|testdata)\//.test(path) ||
    testFiles.some((pattern) => pattern.test(path))
  );
}
