import type { LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';
import type { LineLanguage, LineRule } from './lineLanguages.ts';

/** The text with what is no code replaced by spaces, so that offsets and lines stay. */
export function blanked(text: string, { blank }: LineLanguage): string {
  return text.replace(blank, (match) => match.replace(/[^\n]/g, ' '));
}

/** What the lines of a file declare, by the rules of its language. */
export function lineOutline(code: LineIndex, language: LineLanguage): OutlineSymbol[] {
  const roots: OutlineSymbol[] = [];
  const open: OutlineSymbol[] = [];
  for (let line = 1; line <= code.lineCount; line++) {
    const content = code.lineText(line) ?? '';
    while (open.length > 0 && (open.at(-1)?.range.end.line ?? 0) < line) open.pop();
    const parent = open.at(-1);
    for (const { rule, name, column } of declarationsOn(content, language.rules, parent)) {
      const end = { line: rule.short === true ? line : endOf(code, line, language), column: 1 };
      end.column = (code.lineText(end.line)?.trimEnd().length ?? 0) + 1;
      const symbol: OutlineSymbol = {
        name: /^(?:"[^"]*"|`[^`]*`|\[[^\]]*\])$/.test(name) ? name.slice(1, -1) : name,
        kind: rule.kind === 'function' && parent !== undefined ? 'method' : rule.kind,
        range: { start: { line, column: 1 }, end },
        nameRange: { start: { line, column }, end: { line, column: column + name.length } },
        children: [],
      };
      (parent?.children ?? roots).push(symbol);
      if (symbol.range.end.line > line) open.push(symbol);
    }
  }
  return language.ends === 'section' ? sections(roots, code) : roots;
}

interface Found {
  rule: LineRule;
  name: string;
  column: number;
}

function declarationsOn(content: string, rules: readonly LineRule[], parent: OutlineSymbol | undefined): Found[] {
  const place = parent?.kind ?? 'file';
  for (const rule of rules) {
    if (rule.within === undefined ? isBody(place) : !rule.within.includes(place)) continue;
    const match = rule.pattern.exec(content);
    const name = match?.groups?.['name'];
    if (match === null || name === undefined) continue;
    const from = match.index + match[0].lastIndexOf(name);
    if (rule.many !== true) return [{ rule, name, column: from + 1 }];
    // What stands in parentheses or after an equals sign belongs to the name before it.
    const plain = name.replace(/\([^)]*\)?|=[^,]*/g, (part) => ' '.repeat(part.length));
    return [...plain.matchAll(/[\p{L}_][\p{L}\d_]*/gu)].map((part) => ({
      rule,
      name: part[0],
      column: from + part.index + 1,
    }));
  }
  return [];
}

/** Locals are no part of an outline. */
function isBody(kind: string): boolean {
  return /^(function|method|constructor|procedure|property|variable)$/.test(kind);
}

function endOf(code: LineIndex, line: number, { ends }: LineLanguage): number {
  if (ends === 'indented') return endByIndentation(code, line);
  if (ends === 'section') return line;
  let depth = 0;
  let isOpened = false;
  for (let at = line; at <= code.lineCount; at++) {
    for (const character of code.lineText(at) ?? '') {
      if (ends === 'statement' && character === ';' && depth <= 0) return at;
      if (character === (ends === 'braces' ? '{' : '(')) {
        depth++;
        isOpened = true;
      } else if (character === (ends === 'braces' ? '}' : ')')) depth--;
      if (ends === 'braces' && isOpened && depth <= 0) return at;
    }
    // A body opens on the line of its declaration, or alone on the next one.
    if (
      ends === 'braces' &&
      !isOpened &&
      !/^\s*\{/.test(code.lineText(at + 1) ?? '') &&
      !isContinued(code.lineText(at))
    )
      return line;
  }
  return ends === 'braces' ? line : code.lineCount;
}

function isContinued(content: string | undefined): boolean {
  return /[,(:]\s*$/.test(content ?? '');
}

function endByIndentation(code: LineIndex, line: number): number {
  let end = line;
  for (let at = line + 1; at <= code.lineCount; at++) {
    const content = code.lineText(at) ?? '';
    if (/^\t| {2}/.test(content) && content.trim() !== '') end = at;
    else if (content.trim() !== '') break;
  }
  return end;
}

/** Each stage reaches to the next one and holds what stands in between. */
function sections(flat: readonly OutlineSymbol[], code: LineIndex): OutlineSymbol[] {
  const heads = flat.filter(({ kind }) => kind === 'stage');
  for (const [index, head] of heads.entries()) {
    let last = (heads[index + 1]?.range.start.line ?? code.lineCount + 1) - 1;
    while (last > head.range.start.line && (code.lineText(last) ?? '').trim() === '') last--;
    head.range.end = { line: last, column: (code.lineText(last)?.length ?? 0) + 1 };
    head.children = flat.filter(
      ({ kind, range }) => kind !== 'stage' && range.start.line > head.range.start.line && range.start.line <= last,
    );
  }
  const held = new Set(heads.flatMap(({ children }) => children));
  return flat.filter((symbol) => !held.has(symbol));
}
