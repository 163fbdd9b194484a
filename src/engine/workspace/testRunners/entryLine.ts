import { readText } from './packages.ts';

/** The line at which a test file, or one of its tests, begins to run: that is where somebody who launches it wants to stand. */
export function entryLine(path: string, name: string | undefined): number {
  const lines = (readText(path) ?? '').split('\n');
  const isPython = /\.pyw?$/.test(path);
  const title = name
    ?.split(/ > |\s\u203A\s|::|\[/)
    .filter((part) => part !== '' && !part.endsWith(']'))
    .at(-1)
    ?.trim();
  const found = title === undefined ? -1 : lines.findIndex((line) => isHead(line, title, isPython));
  if (found >= 0) return /[{:]\s*$/.test(lines[found] ?? '') ? found + 2 : found + 1;
  const first = lines.findIndex((line) =>
    (isPython ? /^(?:import|from|def|class|@|\w+\s*=)/ : /^(?:const|let|var|test|it|describe|\w+[.(])/).test(line),
  );
  return Math.max(first, 0) + 1;
}

function isHead(line: string, title: string, isPython: boolean): boolean {
  return isPython
    ? new RegExp(`\\bdef ${title}\\b`).test(line)
    : ['"', "'", '`'].some((quote) => line.includes(quote + title + quote));
}
