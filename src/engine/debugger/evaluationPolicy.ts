import { ToolError } from '../../base/errors.ts';
import type { ExpressionSyntax } from './target.ts';

export type EvaluationMode = 'unrestricted' | 'default_blocklist' | 'read_only';

export interface EvaluationRules {
  mode: EvaluationMode;
  /** Custom patterns; never applied in `unrestricted`. */
  blockedPatterns: readonly string[];
}

/** What the policy needs to know of a language. */
export interface PolicyLanguage {
  readonly expressionSyntax: ExpressionSyntax;
  readonly dangerousPatterns: readonly RegExp[];
}

/**
 * Decides whether an expression may be evaluated. Patterns are matched against the code without its comments and strings. In
 * `read_only` an engine that can enforce it does (V8); elsewhere only what is plainly a read passes.
 */
export function checkExpression(
  expression: string,
  rules: EvaluationRules,
  language: PolicyLanguage,
  engineEnforcesReadOnly: boolean,
): void {
  if (rules.mode === 'unrestricted') return;
  const code = stripLiterals(expression, language.expressionSyntax);
  for (const pattern of [...language.dangerousPatterns, ...custom(rules)]) {
    const found = pattern.exec(code);
    if (found !== null) throw blocked(`"${found[0].trim()}" is blocked in evaluated expressions (mode ${rules.mode}).`);
  }
  if (rules.mode === 'read_only' && !engineEnforcesReadOnly) {
    const found = notPlainlyARead.exec(code);
    if (found !== null) throw blocked(`"${found[0].trim()}" is not plainly a read, and evaluation is read-only here.`);
  }
}

/** Assignments, increments, calls and statements: what cannot be proven to only read. */
const notPlainlyARead = /(?<![=!<>:])=(?!=|>)|\+\+|--|:=|\bnew\b|\bdel(ete)?\b|\bimport\b|;|[\w$\])]\s*\(/;

function custom(rules: EvaluationRules): RegExp[] {
  return rules.blockedPatterns.map((pattern) => {
    try {
      return new RegExp(pattern);
    } catch (error) {
      throw new ToolError(
        'evaluation_blocked',
        `The blocked pattern /${pattern}/ in the settings is not valid, so nothing is evaluated.`,
        {
          hint: 'A person can correct evaluation.blockedPatterns.',
          cause: error,
        },
      );
    }
  });
}

function blocked(message: string): ToolError {
  return new ToolError('evaluation_blocked', message, {
    hint: 'Read the value another way, or let a person change evaluation.mode.',
  });
}

/** Comments become a blank, strings become empty ones. Code inside template literals and f-strings is kept: it runs. */
export function stripLiterals(expression: string, syntax: ExpressionSyntax): string {
  let out = '';
  let i = 0;
  const at = (mark: string) => expression.startsWith(mark, i);
  while (i < expression.length) {
    const block = syntax.blockComments.find(([open]) => at(open));
    const quote = syntax.quotes.find(at);
    if (syntax.lineComments.some(at)) {
      const end = expression.indexOf('\n', i);
      i = end < 0 ? expression.length : end;
    } else if (block !== undefined) {
      const end = expression.indexOf(block[1], i + block[0].length);
      i = end < 0 ? expression.length : end + block[1].length;
      out += ' ';
    } else if (quote !== undefined) {
      const isFormatted = quote !== '`' && /(?<![\w$])(?:[fF][rR]?|[rR][fF])$/.test(out);
      const literal = readString(expression, i, quote, quote === '`' ? '${' : isFormatted ? '{' : undefined);
      out += `${quote}${literal.code}${quote}`;
      i = literal.end;
    } else {
      out += expression[i++];
    }
  }
  return out;
}

function readString(
  text: string,
  start: number,
  quote: string,
  opening: string | undefined,
): { end: number; code: string } {
  let i = start + quote.length;
  let code = '';
  while (i < text.length && !text.startsWith(quote, i)) {
    if (text[i] === '\\') i += 2;
    else if (opening !== undefined && text.startsWith(opening, i)) {
      const end = matchingBrace(text, i + opening.length - 1);
      code += ` ${text.slice(i + opening.length, end)} `;
      i = end + 1;
    } else i++;
  }
  return { end: Math.min(i + quote.length, text.length), code };
}

function matchingBrace(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return text.length;
}
