import { basename, dirname, join, relative } from 'node:path';
import type ts from 'typescript-classic';
import { compiler } from '../syntax/compiler.ts';

const extension = /(\.d)?\.[cm]?[jt]sx?$/;

/** Whether a relative import names this file. */
export function pointsTo(importer: string, specifier: string, file: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const target = join(dirname(importer), specifier).replace(extension, '');
  const stem = file.replace(extension, '');
  return target === stem || `${target}/index` === stem;
}

/** A file as another would name it in an import: with the extension that it uses in `like`, or none. */
export function specifierFor(importer: string, like: string, file: string): string {
  const plain = relative(dirname(importer), file).replace(extension, '');
  const ending = extension.exec(basename(like))?.[0] ?? '';
  return `${plain.startsWith('.') ? '' : './'}${plain}${ending}`;
}

/** An import of what a file exports, written like the imports of the file it is for, of that file, or of others that are like them. */
export function importOfNames(
  names: readonly string[],
  from: ts.SourceFile,
  into: ts.SourceFile,
  like: readonly ts.SourceFile[] = [],
): string {
  const tsc = compiler();
  const written = [into, from, ...like].flatMap((file) =>
    file.statements.flatMap((one) => (tsc.isImportDeclaration(one) ? [one.getText(file)] : [])),
  );
  const [, quote = "'", specifier = ''] =
    written.map((text) => /(['"])(\.[^'"]*)\1/.exec(text)).find((match) => match !== null) ?? [];
  const semicolon = written.length > 0 && written.every((text) => !text.endsWith(';')) ? '' : ';';
  const module = specifierFor(into.fileName, specifier, from.fileName);
  return `import { ${names.join(', ')} } from ${quote}${module}${quote}${semicolon}`;
}
