import type { LineIndex, Position } from '../../../base/positions.ts';
import { classifyJavascript } from './classifyJavascript.ts';
import { classifyPython } from './classifyPython.ts';
import { tokenIndexAt, tokenize, type Token, type TokenLanguage } from './tokens.ts';

export const referenceKinds = ['declaration', 'import', 'call', 'write', 'read', 'type', 'inheritance'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

/** What helps to tell a use from its surroundings. */
export interface ClassifyHints {
  /** The symbol can stand in type positions: a class, an interface, an enum, a type alias. */
  isType: boolean;
  /** It is nothing but a type, so a use is a type use unless it is an import or inheritance. */
  isOnlyType: boolean;
}

/** Token lists are kept as long as the text they belong to. */
const tokenCache = new WeakMap<LineIndex, Token[]>();

/** How a reference uses its symbol, told from the tokens around it. Languages without rules get `read`. */
export function classifyReference(
  extension: string,
  text: LineIndex,
  position: Position,
  hints: ClassifyHints,
): ReferenceKind {
  const language = languageOf(extension);
  if (language === undefined) return 'read';
  let tokens = tokenCache.get(text);
  if (tokens === undefined) {
    tokens = tokenize(text.text, language);
    tokenCache.set(text, tokens);
  }
  const at = tokenIndexAt(tokens, text.offsetAt(position));
  if (at === -1) return 'read';
  return language === 'javascript' ? classifyJavascript(tokens, at, hints) : classifyPython(tokens, at, hints);
}

function languageOf(extension: string): TokenLanguage | undefined {
  if (/^[cm]?[jt]sx?$/.test(extension)) return 'javascript';
  return extension === 'py' || extension === 'pyi' ? 'python' : undefined;
}
