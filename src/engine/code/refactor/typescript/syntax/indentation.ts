import type ts from 'typescript-classic';
import { compiler, parse } from './compiler.ts';

/** The blanks at the beginning of the line of an offset. */
export function indentAt(offset: number, source: ts.SourceFile): string {
  const lineStart = source.text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(source.text.slice(lineStart))?.[0] ?? '';
}

/** Code with another indentation from its second line on. What stands in a template string is no indentation. */
export function reindented(text: string, from: string, to: string): string {
  if (!text.includes('\n')) return text;
  const kept = templateSpans(text);
  let offset = 0;
  return text
    .split('\n')
    .map((line) => {
      const start = offset;
      offset += line.length + 1;
      const isKept = start === 0 || kept.some((span) => span.start < start && start <= span.end);
      return isKept || !line.startsWith(from) || line === '' ? line : to + line.slice(from.length);
    })
    .join('\n');
}

function templateSpans(text: string): { start: number; end: number }[] {
  const tsc = compiler();
  if (!text.includes('`')) return [];
  const source = parse('/code.tsx', text);
  const spans: { start: number; end: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (tsc.isTemplateLiteralToken(node)) spans.push({ start: node.getStart(source), end: node.getEnd() });
    tsc.forEachChild(node, visit);
  };
  visit(source);
  return spans;
}
