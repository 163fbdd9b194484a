interface TsFormatOptions {
  indentSize: number;
  tabSize: number;
  convertTabsToSpaces: boolean;
  newLineCharacter: string;
  semicolons: 'ignore' | 'remove' | 'insert';
  insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: boolean;
  insertSpaceAfterOpeningAndBeforeClosingEmptyBraces: boolean;
  insertSpaceAfterFunctionKeywordForAnonymousFunctions: boolean;
}

/** How a file is laid out, so that new code looks like the code around it. */
export function formatOptionsFor(text: string): TsFormatOptions {
  const { tabs, size } = indentation(text);
  return {
    indentSize: size,
    tabSize: size,
    convertTabsToSpaces: !tabs,
    newLineCharacter: '\n',
    semicolons: 'ignore',
    insertSpaceAfterOpeningAndBeforeClosingNonemptyBraces: true,
    insertSpaceAfterOpeningAndBeforeClosingEmptyBraces: text.includes('{ }') || !text.includes('{}'),
    insertSpaceAfterFunctionKeywordForAnonymousFunctions: /\bfunction \(/.test(text) && !/\bfunction\(/.test(text),
  };
}

/** What ends a new statement in a file: nothing where several lines show that nobody writes semicolons. */
export function semicolonIn(text: string): ';' | '' {
  if (/;[ \t]*(?:\/\/.*)?$/m.test(text)) return ';';
  const bare = text.split('\n').filter((line) => /[\w$)\]'"`]$/.test(line.trimEnd()) && !/^\s*(?:\/\/|\*)/.test(line));
  return bare.length < 2 ? ';' : '';
}

/** The quotes of import paths, or of strings where nothing is imported; undefined when there are neither. */
export function quotesIn(text: string): 'single' | 'double' | undefined {
  for (const pattern of [/(?:from|import|require\()\s*(['"])/g, /(['"])[^'"\n]*\1/g]) {
    let single = 0;
    let double = 0;
    for (const match of text.matchAll(pattern)) {
      if (match[1] === "'") single++;
      else double++;
    }
    if (single + double > 0) return single >= double ? 'single' : 'double';
  }
  return undefined;
}

/** The step by which lines are most often indented more than the line before; four spaces when nothing is indented. */
function indentation(text: string): { tabs: boolean; size: number } {
  let tabs = 0;
  let spaces = 0;
  const steps = new Map<number, number>();
  let previous = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '' || /^\s*\*/.test(line)) continue;
    const blank = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (blank.startsWith('\t')) tabs++;
    else if (blank.startsWith(' ')) spaces++;
    const step = blank.length - previous;
    if (step > 1 && step <= 8 && !blank.includes('\t')) steps.set(step, (steps.get(step) ?? 0) + 1);
    previous = blank.length;
  }
  if (tabs > spaces) return { tabs: true, size: 4 };
  const best = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
  return { tabs: false, size: best?.[0] ?? 4 };
}
