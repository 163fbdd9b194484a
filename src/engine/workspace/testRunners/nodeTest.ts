import type { TestRunner } from './model.ts';
import { escaped, nameParts, scriptTestNames } from './names.ts';
import { imports, packageRoot } from './packages.ts';

/** Node's own runner: the file is the program. */
export const nodeTest: TestRunner = {
  id: 'node:test',
  detect: (file) =>
    imports(file.text, '(?:node:)?test')
      ? { reason: 'it imports node:test', strength: 7, folder: packageRoot(file) }
      : undefined,
  command: (file, { folder }, name) => {
    const known = scriptTestNames(file.text);
    const titles = new Set(known.flatMap((each) => each.split(' > ')));
    // The pattern is compared with each name by itself. A test in a test needs both; a suite that matched would bring all it has.
    const isSuite = (title: string) =>
      new RegExp(`\\b(?:describe|suite)(?:\\.\\w+)*\\(\\s*['"\`]${escaped(title)}['"\`]`).test(file.text);
    const parts = name === undefined ? [] : nameParts(name, known);
    const patterns = parts.filter((part, index) => index === parts.length - 1 || !isSuite(part));
    return {
      args: [],
      runtimeArgs: patterns.flatMap((part) => [
        '--test-name-pattern',
        titles.has(part) ? `^${escaped(part)}$` : escaped(part),
      ]),
      cwd: folder,
    };
  },
  isOver: (output) => /^(?:#|\u2139) fail \d+$/m.test(output),
  ranNothing: (output) =>
    ['pass', 'fail', 'cancelled', 'todo'].every((kind) => new RegExp(`^(?:#|\\u2139) ${kind} 0$`, 'm').test(output)),
};
