import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** A test function as the source shows it. */
export interface GoFunction {
  name: string;
  file: string;
  line: number;
}

/**
 * The functions that `go test` runs, by their names: exact for what is written by hand, and without compiling anything. What build
 * constraints leave out is known when the package has run.
 */
export async function goFunctions(files: readonly string[]): Promise<GoFunction[]> {
  const found = await Promise.all(
    files.map(async (file) => functionsIn(await readFile(file, 'utf8').catch(() => ''), file)),
  );
  return found.flat();
}

export function functionsIn(text: string, file: string): GoFunction[] {
  if (!basename(file).endsWith('_test.go') || /^\/\/go:build ignore\s*$/m.test(text)) return [];
  const functions: GoFunction[] = [];
  const head = /^func ((Test|Fuzz|Example)(?![a-z])\w*)\(([^)]*)\)/gm;
  for (const match of text.matchAll(head)) {
    const [, name = '', kind, parameters = ''] = match;
    if (name === 'TestMain' && /\*\s*testing\.M\b/.test(parameters)) continue;
    // An example that says nothing about its output is compiled and never run.
    if (kind === 'Example' && !/\/\/\s*(?:unordered )?output:/i.test(bodyAfter(text, match.index))) continue;
    functions.push({ name, file, line: text.slice(0, match.index).split('\n').length });
  }
  return functions;
}

/** Up to the bracket that ends a function: gofmt puts it at the beginning of a line. */
function bodyAfter(text: string, start: number): string {
  const end = text.indexOf('\n}', start);
  return text.slice(start, end === -1 ? undefined : end);
}
