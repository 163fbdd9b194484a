import { readFileSync } from 'node:fs';

export type Place = [path: string, line: number, column: number];

export function keyOf([path, line, column]: Place): string {
  return `${path}:${line}:${column}`;
}

export function placeOf(key: string): Place {
  const [, path = '', line = '', column = ''] = /^(.*):(\d+):(\d+)$/.exec(key) ?? [];
  return [path, Number(line), Number(column)];
}

const texts = new Map<string, string[]>();

export function linesOf(path: string): string[] {
  const known = texts.get(path) ?? readFileSync(path, 'utf8').split('\n');
  texts.set(path, known);
  return known;
}

/** The word at a place. */
export function wordAt([path, line, column]: Place): string {
  return /^\w*/u.exec(linesOf(path)[line - 1]?.slice(column - 1) ?? '')?.[0] ?? '';
}
