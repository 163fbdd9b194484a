import { splitArguments } from '../../../base/commandLine.ts';
import type { PackageFolder } from './model.ts';

/** How a script of package.json calls a runner: `NODE_OPTIONS=… vitest run --config x`. */
interface ScriptCall {
  /** What was called: `vitest`, `tsx`. */
  runner: string;
  env: Record<string, string>;
  /** What stands before the runner: `node --import tsx`, `cross-env`. */
  before: string[];
  args: string[];
}

/** The call in the script `test`, else in the first that has one; scripts that only call other scripts are looked through. */
export function scriptCall({ scripts }: PackageFolder, command: RegExp): ScriptCall | undefined {
  const lines = [...testScripts(scripts), ...Object.values(scripts)];
  for (const line of lines) {
    const part = line.split(/&&|\|\||;/).find((each) => command.test(each));
    if (part === undefined) continue;
    const found = command.exec(part);
    if (found === null) continue;
    const before = part.slice(0, found.index);
    const after = part.slice(found.index + found[0].length).replace(/^\.[cm]?js\b/, '');
    return {
      runner: found[0].replace(/^[\s/]+/, ''),
      env: assignments(before),
      before: splitArguments(before),
      args: splitArguments(after),
    };
  }
  return undefined;
}

/** What `npm test` runs, line by line, with the scripts that it calls by name. */
export function testScripts(scripts: Readonly<Record<string, string>>): string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const visit = (name: string) => {
    const line = scripts[name];
    if (line === undefined || seen.has(name)) return;
    seen.add(name);
    lines.push(line);
    for (const [, called = ''] of line.matchAll(/\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:--?\S+\s+)*([\w:.-]+)/g))
      visit(called);
    for (const [, called = ''] of line.matchAll(/\b(?:run-s|run-p|npm-run-all)\s+(.*)/g))
      for (const each of called.split(/\s+/)) visit(each);
  };
  visit('test');
  return lines;
}

function assignments(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(?:'([^']*)'|"([^"]*)"|(\S+))/g)].map((found) => [
      found[1] ?? '',
      found[2] ?? found[3] ?? found[4] ?? '',
    ]),
  );
}

/** Which options of a script's call are kept in a run of ours. */
export interface OptionRules {
  /** Dropped with their value: reporters, coverage, watching. */
  unwanted: RegExp;
  /** Take their value as the next word. */
  withValue: RegExp;
}

/** The options and the rest, which names files or parts of names. */
export function sortedArguments(args: readonly string[], rules: OptionRules): { options: string[]; names: string[] } {
  const options: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (!word.startsWith('-') || word === '--') {
      if (word !== '--') names.push(word);
      continue;
    }
    const takesNext = !word.includes('=') && rules.withValue.test(word) && args[at + 1] !== undefined;
    const value = takesNext ? [args[++at] ?? ''] : [];
    if (!rules.unwanted.test(word)) options.push(word, ...value);
  }
  return { options, names };
}
