import { basename, dirname, join, relative } from 'node:path';

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
