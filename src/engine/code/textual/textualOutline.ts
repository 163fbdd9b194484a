import type { LineIndex } from '../../../base/positions.ts';
import type { OutlineSymbol } from '../model.ts';

/**
 * An outline from the look of the lines, for languages without a language server. It finds declarations by their keywords and
 * their ends by braces or indentation; it is labelled textual wherever it is shown, because it can be wrong.
 */
export function textualOutline(text: LineIndex, extension: string): OutlineSymbol[] {
  if (extension === 'md' || extension === 'markdown') return nested(headings(text));
  const found: OutlineSymbol[] = [];
  for (let line = 1; line <= text.lineCount; line++) {
    const content = text.lineText(line) ?? '';
    const declaration = declarationOn(content, extension);
    if (declaration === undefined) continue;
    const column = content.indexOf(declaration.name, declaration.from) + 1;
    const endLine = endOf(text, line, extension);
    found.push({
      name: declaration.name,
      kind: declaration.kind,
      range: { start: { line, column: 1 }, end: { line: endLine, column: (text.lineText(endLine)?.length ?? 0) + 1 } },
      nameRange: { start: { line, column }, end: { line, column: column + declaration.name.length } },
      children: [],
    });
  }
  return nested(found);
}

const modifiers =
  '(?:(?:export|default|public|private|protected|internal|static|final|abstract|sealed|partial|async|open|data|inline|virtual|override|unsafe|extern|const|readonly|pub(?:\\([^)]*\\))?)\\s+)*';
const typeDeclaration = new RegExp(
  `^\\s*${modifiers}(class|interface|struct|enum|trait|record|object|module|defmodule|namespace|protocol|union|mixin|message|service|type)\\s+([\\p{L}_][\\p{L}\\d_.]*)`,
  'u',
);
const functionDeclaration = new RegExp(
  `^\\s*${modifiers}(func|fn|def|defp|function|fun|sub|proc)\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?([\\p{L}_][\\p{L}\\d_]*[?!]?)`,
  'u',
);
const implBlock = /^\s*(?:unsafe\s+)?impl(?:<[^>]*>)?\s+(?:[^{]*\bfor\s+)?([A-Za-z_]\w*)/;
const shellFunction = /^\s*([A-Za-z_][\w-]*)\s*\(\)\s*\{?\s*$/;
/** `int main(int argc)`, `public List<String> names()`: a type, a name, parentheses, no semicolon at the end. */
const typedFunction =
  /^\s*(?:[\w@:<>,*&[\]?]+[\s*&]+)+?(~?[A-Za-z_]\w*(?:::~?\w+)*)\s*\([^;{}]*\)?\s*(?:const\s*)?(?:throws\s+[\w.,\s]+)?\{?\s*$/;
const constant = /^(?:export\s+)?(?:const|var|let|static|val)\s+(?:mut\s+)?([\p{L}_][\p{L}\d_]*)/u;
const statement =
  /^\s*(?:if|for|while|switch|return|else|case|do|catch|throw|new|await|using|foreach|unless|until|elif|goto|delete|yield|assert)\b/;

function declarationOn(line: string, extension: string): { name: string; kind: string; from: number } | undefined {
  if (/^\s*(\/\/|\/?\*|#(?!\[))/.test(line)) return undefined;
  const type = typeDeclaration.exec(line);
  if (type?.[1] !== undefined && type[2] !== undefined)
    return { name: type[2], kind: kindOf(type[1]), from: type[0].length - type[2].length };
  const named = functionDeclaration.exec(line);
  if (named?.[2] !== undefined) return { name: named[2], kind: 'function', from: named[0].length - named[2].length };
  const impl = extension === 'rs' ? implBlock.exec(line) : null;
  if (impl?.[1] !== undefined) return { name: impl[1], kind: 'implementation', from: impl[0].length - impl[1].length };
  const shell = /^(sh|bash)$/.test(extension) ? shellFunction.exec(line) : null;
  if (shell?.[1] !== undefined) return { name: shell[1], kind: 'function', from: 0 };
  const typed =
    /^(c|h|cc|cpp|cxx|hpp|hh|cs|java|dart)$/.test(extension) && !statement.test(line) ? typedFunction.exec(line) : null;
  if (typed?.[1] !== undefined) return { name: typed[1], kind: 'function', from: line.indexOf(`${typed[1]}`) };
  const value = constant.exec(line);
  return value?.[1] === undefined
    ? undefined
    : { name: value[1], kind: 'variable', from: value[0].length - value[1].length };
}

function kindOf(keyword: string): string {
  if (keyword === 'defmodule') return 'module';
  if (keyword === 'message' || keyword === 'record') return 'struct';
  return keyword;
}

function endOf(text: LineIndex, line: number, extension: string): number {
  if (/^(py|pyi|rb|ex|exs|lua|jl)$/.test(extension)) return endByIndentation(text, line);
  let depth = 0;
  let opened = false;
  for (let at = line; at <= text.lineCount && at - line < 20_000; at++) {
    const content = (text.lineText(at) ?? '').replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'|\/\/.*$/g, '');
    for (const character of content) {
      if (character === '{') {
        depth++;
        opened = true;
      } else if (character === '}') depth--;
    }
    if (opened && depth <= 0) return at;
    if (!opened && (/;\s*$/.test(content) || at - line >= 3)) return line;
  }
  return line;
}

function endByIndentation(text: LineIndex, line: number): number {
  const own = indentation(text.lineText(line) ?? '');
  let end = line;
  for (let at = line + 1; at <= text.lineCount; at++) {
    const content = text.lineText(at) ?? '';
    if (content.trim() === '') continue;
    if (indentation(content) <= own) return /^\s*end\b/.test(content) && indentation(content) === own ? at : end;
    end = at;
  }
  return end;
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** `## Title`, or a title that the next line underlines. */
function headingOn(
  content: string,
  next: string,
  before: string,
): { level: number; name: string; column: number } | undefined {
  const [, signs, name] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(content) ?? [];
  if (signs !== undefined && name !== undefined) return { level: signs.length, name, column: signs.length + 2 };
  const isUnderlined = /^(=+|-{3,})\s*$/.test(next) && /^[^\s>|#*+-]/.test(content) && /^(\s*$|#)/.test(before);
  return isUnderlined ? { level: next.startsWith('=') ? 1 : 2, name: content.trim(), column: 1 } : undefined;
}

function headings(text: LineIndex): OutlineSymbol[] {
  const found: { level: number; symbol: OutlineSymbol }[] = [];
  let fenced = false;
  for (let line = 1; line <= text.lineCount; line++) {
    const content = text.lineText(line) ?? '';
    if (/^\s*(```|~~~)/.test(content)) fenced = !fenced;
    const heading = fenced
      ? undefined
      : headingOn(content, text.lineText(line + 1) ?? '', text.lineText(line - 1) ?? '');
    if (heading === undefined) continue;
    const { level, name, column } = heading;
    found.push({
      level,
      symbol: {
        name,
        kind: 'heading',
        range: { start: { line, column: 1 }, end: { line: text.lineCount, column: 1 } },
        nameRange: { start: { line, column }, end: { line, column: column + name.length } },
        children: [],
      },
    });
  }
  for (const [index, { level, symbol }] of found.entries()) {
    const next = found.slice(index + 1).find((other) => other.level <= level);
    if (next !== undefined) symbol.range.end = { line: next.symbol.range.start.line - 1, column: 1 };
  }
  return found.map(({ symbol }) => symbol);
}

/** Puts symbols inside those whose range holds them. The input is in the order of the lines. */
function nested(symbols: readonly OutlineSymbol[]): OutlineSymbol[] {
  const roots: OutlineSymbol[] = [];
  const open: OutlineSymbol[] = [];
  for (const symbol of symbols) {
    while (open.length > 0 && (open.at(-1)?.range.end.line ?? 0) < symbol.range.start.line) open.pop();
    const parent = open.at(-1);
    if (parent !== undefined && symbol.kind === 'variable' && parent.kind === 'function') continue;
    (parent?.children ?? roots).push(symbol);
    if (symbol.range.end.line > symbol.range.start.line) open.push(symbol);
  }
  return roots;
}
