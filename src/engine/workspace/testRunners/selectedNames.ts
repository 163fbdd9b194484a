import type { TestSelection } from '../tests/model.ts';
import { exactPattern, namePattern, scriptTestNames } from './names.ts';
import { readText } from './packages.ts';

/** Longer expressions do not fit into a command line everywhere: then whole files are run. */
const maxPatternChars = 60_000;

/** The regular expression by which a runner of JavaScript chooses; undefined when all tests of the files are meant. */
export function selectedPattern({ files = [], tests, name, pattern }: TestSelection): string | undefined {
  if (tests !== undefined) {
    const exact = exactPattern(tests);
    return exact.length > maxPatternChars ? undefined : exact;
  }
  if (name === undefined) return pattern;
  return namePattern(
    name,
    files.flatMap((file) => scriptTestNames(readText(file) ?? '')),
  );
}
