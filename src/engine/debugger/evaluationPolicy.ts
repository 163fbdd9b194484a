import { ToolError } from '../../base/errors.ts';
import { boundedExec } from '../../base/text/boundedRegExp.ts';

type EvaluationMode = 'unrestricted' | 'default_blocklist' | 'read_only';

export interface EvaluationRules {
  mode: EvaluationMode;
  /** Custom patterns; never applied in `unrestricted`. */
  blockedPatterns: readonly string[];
}

/** What the policy needs to know of a language. */
export interface PolicyLanguage {
  /** The expression as the language reads it, without comments and strings. */
  codeOf(expression: string): string;
  readonly dangerousPatterns: readonly RegExp[];
}

/**
 * Decides whether an expression may be evaluated. Patterns are matched against the code as its language reads it, without comments and strings. In
 * `read_only` an engine that can enforce it does (V8); elsewhere only what is plainly a read passes.
 */
export function checkExpression(
  expression: string,
  rules: EvaluationRules,
  language: PolicyLanguage,
  engineEnforcesReadOnly: boolean,
): void {
  if (rules.mode === 'unrestricted') return;
  if (expression.length > maxExpressionChars)
    throw blocked(`The expression has ${expression.length} characters; at most ${maxExpressionChars} are evaluated.`);
  const code = language.codeOf(expression);
  for (const pattern of language.dangerousPatterns) refuse(pattern.exec(code)?.[0], rules);
  for (const pattern of custom(rules)) {
    const found = boundedExec(pattern, code);
    if (found === 'too slow')
      throw blocked(`The blocked pattern /${pattern.source}/ in the settings takes too long on this expression.`);
    refuse(found?.[0], rules);
  }
  if (rules.mode === 'read_only' && !engineEnforcesReadOnly) {
    const found = notPlainlyARead.exec(code);
    if (found !== null) throw blocked(`"${found[0].trim()}" is not plainly a read, and evaluation is read-only here.`);
  }
}

const maxExpressionChars = 20_000;

function refuse(found: string | undefined, rules: EvaluationRules): void {
  if (found !== undefined) throw blocked(`"${found.trim()}" is blocked in evaluated expressions (mode ${rules.mode}).`);
}

/** Assignments, increments, calls and statements: what cannot be proven to only read. */
const notPlainlyARead = /(?<![=!<>:])=(?!=|>)|`|\+\+|--|:=|\bnew\b|\bdel(ete)?\b|\bimport\b|;|[\w$\])]\s*\(/;

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
