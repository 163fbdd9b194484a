import type { Token } from '../tokens.ts';

/** Names in Python's strings and comments that are code to whoever reads it. */

/** `# type: Name`, as annotations were written before Python had any. */
export function isTypeComment(before: string): boolean {
  return /#\s*type:\s*(?!ignore\b)[^#]*$/.test(before);
}

/** Whether a place in a literal is code: between the braces of an f-string. */
export function isInterpolated({ text, start }: Token, offset: number): boolean {
  if (!/^[a-z]*[ft]/i.test(text.slice(0, text.search(/["']/)))) return false;
  let depth = 0;
  for (const brace of text
    .slice(0, offset - start)
    .replaceAll(/\{\{|\}\}/g, '')
    .matchAll(/[{}]/g))
    depth += brace[0] === '{' ? 1 : -1;
  return depth > 0;
}

const listPunctuation = new Set(['[', '(', ',', '=', '+=', '+', ')', ']', ':']);

/** `__all__ = ["name", …]`, `__all__ += […]`, `__all__.extend([…])`. */
export function isListed(tokens: readonly Token[], at: number, word: string): boolean {
  if (!new RegExp(`^[a-z]*(["'])${word}\\1$`, 'i').test(tokens[at]?.text ?? '')) return false;
  for (let index = at - 1; index >= 0; index--) {
    const token = tokens[index];
    if (token === undefined) return false;
    if (token.kind === 'literal' || token.kind === 'newline' || listPunctuation.has(token.text)) continue;
    if (token.text === '__all__') return true;
    const isCall = /^(?:extend|append|list|tuple|str)$/.test(token.text) || token.text === '.';
    if (!isCall) return false;
  }
  return false;
}
